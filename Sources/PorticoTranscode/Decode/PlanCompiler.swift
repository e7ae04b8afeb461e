import PorticoSchema
import PorticoWire

// Turns descriptors into a plan, message by message from the root. Worked example, the keys of
// `string eye_color = 1 [json_name = "eyes"]`: `eyes` (its json_name), `eye_color` (its proto name) and `eyeColor`
// (lowerCamelCase of it), all three filling field 1. Upstreams mostly write proto names, so that is the key expected
// at first; the decoder learns otherwise from the first object.

/// Keys on their way into a plan: a tree, because several `path`s may begin alike.
private final class KeyTree {
    var fields: [Int] = []
    var children: [(name: String, tree: KeyTree)] = []

    func child(_ name: String) -> KeyTree {
        if let known = children.first(where: { $0.name == name }) { return known.tree }
        let tree = KeyTree()
        children.append((name, tree))
        return tree
    }

    func hasChild(_ name: String) -> Bool { children.contains { $0.name == name } }

    /// Every field at or below this place.
    var allFields: [Int] { fields + children.flatMap(\.tree.allFields) }
}

struct PlanCompiler {
    private let schema: Schema
    private var messageIndex: [MessageID: Int] = [:]
    private var enumIndex: [EnumID: Int] = [:]
    private var pending: [MessageID] = []

    private(set) var messages: [MessagePlan] = []
    private(set) var objects: [ObjectPlan] = []
    private(set) var fields: [FieldPlan] = []
    private(set) var keys: [KeyPlan] = []
    private(set) var keyWords: [UInt64] = []
    private(set) var targets: [KeyTarget] = []
    private(set) var peers: [Int] = []
    private(set) var enums: [NameTable] = []
    private(set) var keyAfter: [Int32] = []
    private(set) var firstKeys: [Int32] = []
    private(set) var fieldNames: [String] = []
    private(set) var oneofNames: [String] = []
    private(set) var taps: TapPlan
    private var laneKeys: [LaneKey] = []
    private var laneSlots: [PerfectIndex.Slot] = []
    private var objectIndexes: [PerfectIndex] = []
    private var enumIndexes: [PerfectIndex] = []

    /// Message 0 of the plan is `root`; every message it can reach follows.
    static func compile(
        _ root: MessageID, of schema: Schema, tapping tapped: TappedFields? = nil
    ) -> RecordPlan {
        var compiler = PlanCompiler(schema: schema, taps: TapPlan(tapped))
        // With taps the root, like the records, is another than messages of its type elsewhere.
        _ = tapped == nil ? compiler.index(of: root) : compiler.append(root)
        var done = 0
        while done < compiler.pending.count {
            compiler.compileMessage(compiler.pending[done], at: done)
            done += 1
        }
        return RecordPlan(compiler)
    }

    private init(schema: Schema, taps: TapPlan) {
        self.schema = schema
        self.taps = taps
    }

    private mutating func index(of id: MessageID) -> Int {
        if let known = messageIndex[id] { return known }
        messageIndex[id] = pending.count
        return append(id)
    }

    private mutating func append(_ id: MessageID) -> Int {
        pending.append(id)
        messages.append(MessagePlan(object: -1, fieldCount: 0, required: [], requiredBits: nil))
        return pending.count - 1
    }

    private mutating func index(of id: EnumID) -> Int {
        if let known = enumIndex[id] { return known }
        let values = schema[id].values
        // An upstream's own spelling goes before a name that happens to be equal.
        let names =
            values.compactMap { value in value.json.map { ($0, Int(value.number)) } }
            + values.map { ($0.name, Int($0.number)) }
        enums.append(NameTable(names))
        enumIndexes.append(PerfectIndex.append(names, to: &laneSlots))
        enumIndex[id] = enums.count - 1
        return enums.count - 1
    }

    private mutating func compileMessage(_ id: MessageID, at index: Int) {
        let message = schema[id]
        let first = fields.count
        for (slot, field) in message.fields.enumerated() {
            append(field, slot: slot, of: message, in: index)
        }
        for (slot, field) in message.fields.enumerated() {
            guard field.cardinality == .map, case .message(let entry) = field.type else { continue }
            fields[first + slot].child = fields.count
            for number in 1...2 {
                guard let part = schema[entry].field(number: number) else { continue }
                append(part, slot: number - 1, of: schema[entry], in: nil)
            }
        }
        let tree = keyTree(of: message, firstField: first)
        let required = message.fields.indices.filter { message.fields[$0].isRequired }
        messages[index] = MessagePlan(
            object: appendObject(tree), fieldCount: message.fields.count,
            firstSeen: index == taps.record ? TapPlan.bit : 0,
            required: required.map { first + $0 },
            requiredBits: message.fields.count <= UInt64.bitWidth
                ? required.reduce(0) { $0 | 1 << UInt64($1) } : nil)
    }

    /// - Parameter place: of the message in the plan; nil: it is a map's entry.
    private mutating func append(
        _ field: FieldDescriptor, slot: Int, of message: MessageDescriptor, in place: Int?
    ) {
        let kind = ValueKind(field.type)
        let shape = FieldShape(field, kind: kind)
        var child = -1
        switch field.type {
        case .message(let id) where place == 0 && field.number == taps.fields?.list:
            child = append(id)
            (taps.list, taps.record) = (fields.count, child)
        case .message(let id) where field.cardinality != .map: child = index(of: id)
        case .enumeration(let id): child = index(of: id)
        default: break
        }
        let wireType = shape == .packed ? .lengthDelimited : kind.wireType
        var writer = ProtobufWriter()
        writer.tag(field.number, wireType)
        let firstPeer = peers.count
        if let oneof = field.oneof {
            peers += message.fields.indices.filter { $0 != slot && message.fields[$0].oneof == oneof }
        }
        fields.append(
            FieldPlan(
                number: field.number, slot: slot, kind: kind, shape: shape,
                tap: place.map { taps.tap(field.number, in: $0) } ?? -1, child: child,
                tag: writer.bytes.span.word(at: 0), tagLength: writer.bytes.count,
                peers: firstPeer..<peers.count))
        fieldNames.append(field.name)
        oneofNames.append(field.oneof.map { message.oneofs[$0] } ?? "")
    }

    /// Names in order of their right to a key: `path`s and proto names, then JSON names, then lowerCamelCase.
    private func keyTree(of message: MessageDescriptor, firstField: Int) -> KeyTree {
        let tree = KeyTree()
        for (slot, field) in message.fields.enumerated() {
            let path = field.path.isEmpty ? [field.name] : field.path
            path.reduce(tree) { $0.child($1) }.fields.append(firstField + slot)
        }
        for spelling in [\FieldDescriptor.jsonName, \FieldDescriptor.lowerCamelName] {
            for (slot, field) in message.fields.enumerated() where field.path.isEmpty {
                let name = field[keyPath: spelling]
                if !tree.hasChild(name) { tree.child(name).fields.append(firstField + slot) }
            }
        }
        return tree
    }

    private mutating func appendObject(_ tree: KeyTree) -> Int {
        let object = objects.count
        objects.append(ObjectPlan(names: NameTable([]), fields: tree.allFields))
        firstKeys.append(-1)
        objectIndexes.append(PerfectIndex(firstSlot: 0, shift: 63, factor: 0))
        var names: [(name: String, value: Int)] = []
        var previous: Int?
        for (name, subtree) in tree.children {
            var filled = subtree.fields.map { KeyTarget.field($0) }
            if !subtree.children.isEmpty { filled.append(.object(appendObject(subtree))) }
            let key = appendKey(name, filling: filled)
            names.append((name, key))
            if let previous { keyAfter[previous] = Int32(key) } else { firstKeys[object] = Int32(key) }
            previous = key
        }
        objects[object].names = NameTable(names)
        objectIndexes[object] = PerfectIndex.append(names, to: &laneSlots)
        return object
    }

    private mutating func appendKey(_ name: String, filling filled: [KeyTarget]) -> Int {
        let text = Array("\"\(name)\"".utf8)
        let firstWord = keyWords.count
        for offset in stride(from: 0, to: text.count, by: 8) { keyWords.append(text.span.word(at: offset)) }
        let inLast = (text.count - 1) % 8 + 1
        keys.append(
            KeyPlan(
                words: firstWord..<keyWords.count, length: text.count,
                lastMask: inLast == 8 ? .max : 1 << UInt64(8 * inLast) - 1,
                targets: targets.count..<targets.count + filled.count))
        targets += filled
        keyAfter.append(-1)
        laneKeys.append(laneKey(name, filling: filled))
        return keys.count - 1
    }
}

/// The fast lane's tables.
extension PlanCompiler {
    private func laneKey(_ name: String, filling filled: [KeyTarget]) -> LaneKey {
        var key = LaneKey(name: name)
        guard filled.count == 1, case .field(let index) = filled[0] else { return key }
        let field = fields[index]
        let rivals = [field.slot] + peers[field.peers]
        // The highest bit says that a key is tapped: the 64th field, too, is left to the careful reader.
        guard rivals.allSatisfy({ $0 < TapPlan.mostFields }) else { return key }
        key.tag = field.tag
        key.tagLength = field.tagLength
        key.bit = 1 << UInt64(field.slot)
        key.rivals = rivals.reduce(0) { $0 | 1 << UInt64($1) }
        key.kind = field.kind
        key.step = LaneStep(field)
        key.opener = key.step.opener
        if field.tap >= 0 {
            key.rivals |= TapPlan.bit
            key.tap = -1 - Int8(field.tap)
        }
        // Behind the objects' indexes, once their number is known.
        if field.kind == .enumeration { key.names = Int32(field.child) }
        return key
    }

    consuming func lane() -> LanePlan {
        for index in laneKeys.indices { laneKeys[index].names += Int32(objectIndexes.count) }
        return LanePlan(keys: laneKeys, slots: laneSlots, indexes: objectIndexes + enumIndexes)
    }
}

extension LaneStep {
    fileprivate var opener: UInt16 {
        switch self {
        case .text, .explicitText: UInt16(UInt8(ascii: "\""))
        case .texts: UInt16(UInt8(ascii: "["))
        case .careful, .packed, .number, .explicitNumber, .enumeration, .explicitEnumeration:
            LaneKey.noOpener
        }
    }

    fileprivate init(_ field: FieldPlan) {
        switch (field.kind, field.shape) {
        case (.message, _), (.bytes, _), (_, .map), (.enumeration, .packed): self = .careful
        case (.string, .implicit): self = .text
        case (.string, .explicit): self = .explicitText
        case (.string, .repeated): self = .texts
        case (_, .packed): self = .packed
        case (_, .repeated): self = .careful
        case (.enumeration, .implicit): self = .enumeration
        case (.enumeration, .explicit): self = .explicitEnumeration
        case (_, .implicit): self = .number
        case (_, .explicit): self = .explicitNumber
        }
    }
}

extension FieldDescriptor {
    /// protoc's rule: each `_` is dropped and the letter behind it raised.
    fileprivate var lowerCamelName: String {
        var result = ""
        var raises = false
        for character in name {
            if character == "_" {
                raises = true
            } else {
                result += raises ? character.uppercased() : String(character)
                raises = false
            }
        }
        return result
    }
}
