import PorticoSchema
import PorticoTranscode

/// A way to misbehave, as `Environments/Sandbox/README.md` lists them.
package enum SandboxFault: Equatable, Sendable {
    case slow(Duration)
    /// `retryAfter` in seconds.
    case fail(status: Int, retryAfter: Int?)
    case truncate
    /// `key` nil: the item's last.
    case malformed(key: String?)
    case empty
    case notJSON
    case hang
    case reset
}

/// The faults in force. The one set last wins; each counts down and goes when its times are used up.
struct SandboxFaultTable {
    private struct Entry {
        /// Without slashes at the ends; a trailing `*` means all that begin so.
        var path: String
        var fault: SandboxFault
        /// Nil: until cleared.
        var timesLeft: Int?

        func covers(_ other: String) -> Bool {
            path.hasSuffix("*") ? other.hasPrefix(path.dropLast()) : other == path
        }
    }

    private var entries: [Entry] = []

    mutating func removeAll() { entries = [] }

    /// The fault that the next request to `path` meets, if any.
    mutating func take(for path: String) -> SandboxFault? {
        guard let index = entries.lastIndex(where: { $0.covers(path) }) else { return nil }
        let fault = entries[index].fault
        if let left = entries[index].timesLeft {
            entries[index].timesLeft = left - 1
            if left == 1 { entries.remove(at: index) }
        }
        return fault
    }

    /// Adds the fault a client describes.
    ///
    /// - Throws: a sentence for the client.
    mutating func add(describedBy body: [UInt8]) throws(BadFault) {
        guard let document = try? DocumentReader.read(body, file: "body") else {
            throw BadFault("The body is not JSON.")
        }
        let json = document.value
        guard case .string(let path)? = json["path"], case .string(let name)? = json["fault"] else {
            throw BadFault("A fault needs \"path\" and \"fault\", both texts.")
        }
        let times = try Self.number("times", of: json) ?? 0
        let entry = Entry(
            path: path.split(separator: "/").joined(separator: "/"), fault: try Self.fault(name, json),
            timesLeft: times == 0 ? nil : times)
        entries.append(entry)
    }

    /// For `GET /_sandbox/faults`.
    var description: JSONValue {
        .array(
            entries.map { entry in
                .object([
                    .init("path", .string(entry.path)), .init("fault", .string(entry.fault.name)),
                    .init("times", .number("\(entry.timesLeft ?? 0)")),
                ])
            })
    }

    struct BadFault: Error, Equatable {
        let message: String
        init(_ message: String) { self.message = message }
    }

    private static func fault(_ name: String, _ json: JSONValue) throws(BadFault) -> SandboxFault {
        switch name {
        case "slow":
            return .slow(.milliseconds(try number("delayMs", of: json) ?? 1000))
        case "fail":
            let status = try number("status", of: json) ?? 500
            guard (200...599).contains(status) else { throw BadFault("\"status\" is from 200 to 599.") }
            return .fail(status: status, retryAfter: try number("retryAfter", of: json))
        case "truncate": return .truncate
        case "malformed": return .malformed(key: json["key"]?.plainText)
        case "empty": return .empty
        case "notJSON": return .notJSON
        case "hang": return .hang
        case "reset": return .reset
        default:
            throw BadFault("\"fault\" is slow, fail, truncate, malformed, empty, notJSON, hang or reset.")
        }
    }

    private static func number(_ key: String, of json: JSONValue) throws(BadFault) -> Int? {
        guard let value = json[key] else { return nil }
        guard case .number(let text) = value, let number = Int(text), (0...1_000_000_000).contains(number)
        else {
            throw BadFault("\"\(key)\" is a whole number, not negative.")
        }
        return number
    }
}

extension SandboxFault {
    var name: String {
        switch self {
        case .slow: "slow"
        case .fail: "fail"
        case .truncate: "truncate"
        case .malformed: "malformed"
        case .empty: "empty"
        case .notJSON: "notJSON"
        case .hang: "hang"
        case .reset: "reset"
        }
    }
}

extension JSONValue {
    /// The value with its list changed: itself if it is an array, else its first member that is one.
    func changingList(_ change: ([JSONValue]) -> [JSONValue]) -> JSONValue {
        switch self {
        case .array(let elements):
            return .array(change(elements))
        case .object(var members):
            for index in members.indices {
                guard case .array(let elements) = members[index].value else { continue }
                members[index].value = .array(change(elements))
                break
            }
            return .object(members)
        case .null, .bool, .number, .string:
            return self
        }
    }

    /// An object without one of its members; `key` nil: without its last.
    func losing(_ key: String?) -> JSONValue {
        guard case .object(var members) = self, let last = members.last?.name else { return self }
        members.removeAll { $0.name == key ?? last }
        return .object(members)
    }
}
