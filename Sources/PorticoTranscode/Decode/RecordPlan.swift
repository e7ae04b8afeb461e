import PorticoSchema
import PorticoWire

// What a decoder knows about its messages before it sees any JSON, in flat tables of plain values. Worked example:
//
//     message Show { string name = 1; string small = 2 [(path) = "images.small"]; }
//
//     fields   0 name: tag 0a, string     1 small: tag 12, string
//     objects  0 Show's own keys          1 the keys below "images"
//     keys     0 "name" → field 0, next key 1
//              1 "images" → object 1, next key none
//              2 "small" → field 1
//
// Reading `{"name":"Dark","images":{"small":"d.png"}}` compares each key with the one expected after its predecessor
// (a compare of one or two words); only when that fails is the object's name table asked.

/// The type of one value, without what it refers to (``FieldPlan/child``).
enum ValueKind: UInt8, Sendable {
    case double, float
    case int32, int64, uint32, uint64, sint32, sint64
    case fixed32, fixed64, sfixed32, sfixed64
    case bool, string, bytes, message, enumeration

    init(_ type: FieldType) {
        self =
            switch type {
            case .double: .double
            case .float: .float
            case .int32: .int32
            case .int64: .int64
            case .uint32: .uint32
            case .uint64: .uint64
            case .sint32: .sint32
            case .sint64: .sint64
            case .fixed32: .fixed32
            case .fixed64: .fixed64
            case .sfixed32: .sfixed32
            case .sfixed64: .sfixed64
            case .bool: .bool
            case .string: .string
            case .bytes: .bytes
            case .message: .message
            case .enumeration: .enumeration
            }
    }

    var wireType: WireType {
        switch self {
        case .double, .fixed64, .sfixed64: .fixed64
        case .float, .fixed32, .sfixed32: .fixed32
        case .string, .bytes, .message: .lengthDelimited
        case .int32, .int64, .uint32, .uint64, .sint32, .sint64, .bool, .enumeration: .varint
        }
    }
}

/// How often a field occurs, and whether its default value is written.
enum FieldShape: UInt8, Sendable {
    /// Written unless it has its default value.
    case implicit
    /// Written whenever it is set: `optional`, members of a oneof, messages.
    case explicit
    case repeated, packed, map
}

struct FieldPlan: Sendable {
    var number: Int
    /// Position among its message's fields.
    var slot: Int
    var kind: ValueKind
    var shape: FieldShape
    /// Its number among the tapped fields, when it belongs to a record of these; else -1.
    var tap: Int8 = -1
    /// Index of a message in ``RecordPlan/messages``, of an enum in ``RecordPlan/enums``, or, for a map, of its key's
    /// plan in ``RecordPlan/fields`` (the value's plan follows it).
    var child: Int
    /// The tag's bytes, first lowest.
    var tag: UInt64
    var tagLength: Int
    /// Of the other members of its oneof, in ``RecordPlan/peers``.
    var peers: Range<Int>
}

/// A key that an object may have.
struct KeyPlan: Sendable {
    /// `"name"` with its quotes, eight bytes at a time, in ``RecordPlan/keyWords``.
    var words: Range<Int>
    /// Bytes of `"name"` with its quotes.
    var length: Int
    /// Which bytes of the last word belong to it.
    var lastMask: UInt64
    /// What the value fills, in ``RecordPlan/targets``.
    var targets: Range<Int>
}

/// What a key's value fills.
enum KeyTarget: Sendable {
    case field(Int)
    /// An object on the way to fields with a longer `path`.
    case object(Int)
}

/// The keys of one JSON object: a message's own, or those below a common beginning of `path`s.
struct ObjectPlan: Sendable {
    var names: NameTable
    /// Fields that this object and those below it fill, for paths that come twice.
    var fields: [Int]
}

struct MessagePlan: Sendable {
    var object: Int
    var fieldCount: Int
    /// ``RecordReader/Frame/seen`` of one that has just begun.
    var firstSeen: UInt64 = 0
    /// Fields with `(portico.v1.required)`.
    var required: [Int]
    /// The bits of their slots; nil when it has more fields than bits.
    var requiredBits: UInt64?
}

/// Compiled by ``PlanCompiler``; shared by all threads.
final class RecordPlan: Sendable {
    let messages: [MessagePlan]
    let objects: [ObjectPlan]
    let fields: [FieldPlan]
    let keys: [KeyPlan]
    let keyWords: [UInt64]
    let targets: [KeyTarget]
    /// Slots.
    let peers: [Int]
    let enums: [NameTable]
    /// The key expected behind each key, then the first key of each object; -1: none.
    let following: [Int32]
    /// Of each field, for errors.
    let fieldNames: [String]
    /// Of each field's oneof, for errors.
    let oneofNames: [String]
    let lane: LanePlan
    let outputSize = OutputSize()
    let taps: TapPlan

    init(_ compiler: consuming PlanCompiler) {
        messages = compiler.messages
        objects = compiler.objects
        fields = compiler.fields
        keys = compiler.keys
        keyWords = compiler.keyWords
        targets = compiler.targets
        peers = compiler.peers
        enums = compiler.enums
        following = compiler.keyAfter + compiler.firstKeys
        fieldNames = compiler.fieldNames
        oneofNames = compiler.oneofNames
        taps = compiler.taps
        lane = compiler.lane()
    }
}
