import Foundation
import PorticoTranscode

/// What a write does to a data file, in memory: POST adds an item, PUT replaces one. The file on disk stays as it is.
///
///     POST {"name": "Eel"} with the key "id"   →   201 {"id": "0b9e…", "name": "Eel"}, the last of the list
enum SandboxWrite {
    /// Why a write is not made.
    struct Refusal: Error, Equatable {
        let status: Int
        let reason: String
    }

    /// The sandbox runs beside the server, in its memory: whoever may write must not be able to fill that.
    static let largestItemBytes = 16 << 10
    static let mostItems = 1000

    /// Adds an item; one that brings no key is given one.
    /// - Throws: ``Refusal``: 400, 413, 409 for a key that is taken, 429 when there are ``mostItems``.
    static func create(
        _ body: [UInt8], key: String, in items: inout [JSONValue], newKey: () -> String = { newUUID() }
    ) throws(Refusal) -> JSONValue {
        var members = try object(body)
        guard items.count < mostItems else {
            throw Refusal(status: 429, reason: "There are \(mostItems) items already; restart the sandbox.")
        }
        let given = members.first { $0.name == key }?.value ?? .null
        if given == .null || given == .string("") {
            members.removeAll { $0.name == key }
            members.insert(.init(key, .string(newKey())), at: 0)
        } else if given.plainText == nil {
            throw Refusal(status: 400, reason: "\"\(key)\" is a text or a number.")
        }
        let item = JSONValue.object(members)
        let taken = items.contains { $0[key]?.plainText == item[key]?.plainText }
        guard !taken else { throw Refusal(status: 409, reason: "That \(key) is taken.") }
        items.append(item)
        return item
    }

    /// Replaces the item that `parameters` select, all of it.
    /// - Returns: nil: there is none.
    /// - Throws: ``Refusal``: 400, also for a body that says otherwise than the path, 413.
    static func replace(
        _ body: [UInt8], selectedBy parameters: [String: String], in items: inout [JSONValue]
    ) throws(Refusal) -> JSONValue? {
        var members = try object(body)
        for (name, text) in parameters.sorted(by: { $0.key < $1.key }) {
            guard let given = members.first(where: { $0.name == name })?.value, given != .null else {
                members.removeAll { $0.name == name }
                members.insert(.init(name, .string(text)), at: 0)
                continue
            }
            guard given.plainText == text else {
                throw Refusal(status: 400, reason: "The body's \(name) is not the path's.")
            }
        }
        let place = items.firstIndex { item in
            parameters.allSatisfy { item[$0.key]?.plainText == $0.value }
        }
        guard let place else { return nil }
        items[place] = .object(members)
        return items[place]
    }

    private static func object(_ body: [UInt8]) throws(Refusal) -> [JSONValue.Member] {
        guard body.count <= largestItemBytes else {
            throw Refusal(status: 413, reason: "An item has \(largestItemBytes) bytes at most.")
        }
        guard case .object(let members)? = (try? DocumentReader.read(body, file: ""))?.value else {
            throw Refusal(status: 400, reason: "The body is not a JSON object.")
        }
        return members
    }

    private static func newUUID() -> String { UUID().uuidString.lowercased() }
}
