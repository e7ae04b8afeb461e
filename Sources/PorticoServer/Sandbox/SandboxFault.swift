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
    /// How much more, or less, the Content-Length says than there is.
    case wrongLength(errorBytes: Int)
    case trickle(pieceBytes: Int, every: Duration)
    case notHTTP
    case brokenGzip
    case endless
    /// `to` nil: to itself, for ever.
    case redirect(to: String?)

    /// What becomes of the answer's list; nil: it stays.
    var listChange: (([JSONValue]) -> [JSONValue])? {
        switch self {
        case .malformed(let key):
            { items in items.enumerated().map { index, item in index == 0 ? item.losing(key) : item } }
        case .empty: { _ in [] }
        case .slow, .fail, .truncate, .notJSON, .hang, .reset, .wrongLength, .trickle, .notHTTP, .brokenGzip,
            .endless, .redirect:
            nil
        }
    }
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
        case "tooLong": return .wrongLength(errorBytes: -(try number("bytes", of: json) ?? 1))
        case "tooShort": return .wrongLength(errorBytes: try number("bytes", of: json) ?? 1)
        case "trickle":
            return .trickle(
                pieceBytes: max(1, try number("bytes", of: json) ?? 1),
                every: .milliseconds(try number("everyMs", of: json) ?? 100))
        case "notHTTP": return .notHTTP
        case "brokenGzip": return .brokenGzip
        case "endless": return .endless
        case "redirect": return .redirect(to: try target(json))
        case "redirectLoop": return .redirect(to: nil)
        default:
            throw BadFault("\"fault\" is none that Environments/Sandbox/README.md lists.")
        }
    }

    /// A line break in it would write more fields.
    private static func target(_ json: JSONValue) throws(BadFault) -> String {
        guard let value = json["to"] else { return "http://sandbox.invalid/" }
        guard case .string(let text) = value, text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7f }) else {
            throw BadFault("\"to\" is a URL.")
        }
        return text
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
        case .wrongLength(let error): error < 0 ? "tooLong" : "tooShort"
        case .trickle: "trickle"
        case .notHTTP: "notHTTP"
        case .brokenGzip: "brokenGzip"
        case .endless: "endless"
        case .redirect(to: nil): "redirectLoop"
        case .redirect: "redirect"
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
