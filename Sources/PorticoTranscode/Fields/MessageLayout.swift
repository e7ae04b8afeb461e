package import PorticoSchema
import PorticoWire

// A message type as its bytes show it: fields by number, and what each value is. Worked example,
// `message Show { string name = 2; repeated int32 genre_ids = 1; }`:
//
//     fields   number 1  genreIds  packed  int32
//              number 2  name      implicit  string
//
// A map's entries are messages with `key = 1` and `value = 2`, both always written.

/// One field. `child` is an index into ``MessageLayout/Tables/messages`` or ``MessageLayout/Tables/enums``.
///
/// Plain values only: with its names in it, copying it took a quarter of the time that writing JSON took.
struct FieldLayout: Sendable {
    /// Of its names in ``MessageLayout/Tables/names`` and ``MessageLayout/Tables/jsonKeys``.
    let names: Int
    let number: Int
    let kind: ValueKind
    let shape: FieldShape
    let child: Int
    /// Of its oneof among its message's; -1: in none.
    let oneof: Int

    var isSingular: Bool {
        switch shape {
        case .implicit, .explicit: true
        case .repeated, .packed, .map: false
        }
    }

    /// True when a value of this wire type may be one of this field's: numbers of a list may come packed or not.
    func accepts(_ wireType: WireType) -> Bool {
        wireType == kind.wireType || wireType == .lengthDelimited && !isSingular
    }
}

/// An enum's names by number, for output; the first of aliases.
typealias EnumNames = [Int32: [UInt8]]

/// A message type and every type it can reach, compiled once for reading and writing encoded messages.
package struct MessageLayout: Sendable {
    /// Fields in ascending order of number.
    typealias Fields = [FieldLayout]

    final class Tables: Sendable {
        /// The root first.
        let messages: [Fields]
        let enums: [EnumNames]
        /// Proto names of all fields.
        let names: [String]
        /// Of each field, `"genreIds":`, as JSON has it.
        let jsonKeys: [[UInt8]]
        /// Of each field, where a body for the upstream has it.
        let bodyPaths: [[String]]
        /// As ``enums``, in the upstream's spelling.
        let spellings: [EnumNames]
        let rootName: String

        fileprivate init(_ compiler: LayoutCompiler, messages: [Fields], rootName: String) {
            self.messages = messages
            self.rootName = rootName
            enums = compiler.enums
            names = compiler.names
            jsonKeys = compiler.jsonKeys
            bodyPaths = compiler.bodyPaths
            spellings = compiler.spellings
        }
    }

    let tables: Tables

    package init(schema: Schema, message: MessageID) {
        var compiler = LayoutCompiler(schema: schema)
        tables = compiler.compile(message)
    }
}

extension [FieldLayout] {
    /// - Parameter hint: the index to begin at; fields mostly come in order.
    func index(ofNumber number: Int, hint: Int) -> Int? {
        for index in hint..<Swift.max(hint, count) where self[index].number >= number {
            if self[index].number == number { return index }
            break
        }
        for index in 0..<Swift.min(hint, count) where self[index].number == number { return index }
        return nil
    }
}

private struct LayoutCompiler {
    let schema: Schema
    private var messageIndex: [MessageID: Int] = [:]
    private var enumIndex: [EnumID: Int] = [:]
    private var pending: [MessageID] = []
    private(set) var enums: [EnumNames] = []
    private(set) var spellings: [EnumNames] = []
    private(set) var names: [String] = []
    private(set) var jsonKeys: [[UInt8]] = []
    private(set) var bodyPaths: [[String]] = []

    init(schema: Schema) { self.schema = schema }

    mutating func compile(_ root: MessageID) -> MessageLayout.Tables {
        _ = index(of: root)
        var messages: [MessageLayout.Fields] = []
        while messages.count < pending.count {
            let message = schema[pending[messages.count]]
            var fields: [FieldLayout] = []
            for field in message.fields.sorted(by: { $0.number < $1.number }) {
                fields.append(layout(of: field, in: message))
            }
            messages.append(fields)
        }
        return MessageLayout.Tables(self, messages: messages, rootName: schema[root].fullName)
    }

    private mutating func index(of id: MessageID) -> Int {
        if let known = messageIndex[id] { return known }
        messageIndex[id] = pending.count
        pending.append(id)
        return pending.count - 1
    }

    private mutating func index(of id: EnumID) -> Int {
        if let known = enumIndex[id] { return known }
        enums.append(
            EnumNames(
                schema[id].values.map { ($0.number, Array($0.name.utf8)) },
                uniquingKeysWith: { first, _ in first }))
        spellings.append(
            EnumNames(
                schema[id].values.map { ($0.number, Array(($0.json ?? $0.name).utf8)) },
                uniquingKeysWith: { first, _ in first }))
        enumIndex[id] = enums.count - 1
        return enums.count - 1
    }

    private mutating func layout(of field: FieldDescriptor, in message: MessageDescriptor) -> FieldLayout {
        let child: Int
        switch field.type {
        case .message(let id): child = index(of: id)
        case .enumeration(let id): child = index(of: id)
        default: child = -1
        }
        let kind = ValueKind(field.type)
        var key: [UInt8] = []
        JSONOutput.append(string: Array(field.jsonName.utf8).span, to: &key)
        names.append(field.name)
        jsonKeys.append(key + [UInt8(ascii: ":")])
        bodyPaths.append(field.bodyPath)
        return FieldLayout(
            names: names.count - 1, number: field.number, kind: kind,
            shape: message.isMapEntry ? .explicit : FieldShape(field, kind: kind), child: child,
            oneof: field.oneof ?? -1)
    }
}

extension FieldShape {
    init(_ field: FieldDescriptor, kind: ValueKind) {
        self =
            switch field.cardinality {
            case .implicit: field.oneof != nil || kind == .message ? .explicit : .implicit
            case .optional: .explicit
            case .repeated(let packed): packed && kind.wireType != .lengthDelimited ? .packed : .repeated
            case .map: .map
            }
    }
}
