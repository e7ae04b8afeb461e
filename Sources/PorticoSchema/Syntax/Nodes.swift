/// A schema file as a tree. The parser makes it, the linker fills in what only all files together can tell, and the
/// descriptor set is written from it and read into it; its shape is therefore google.protobuf.FileDescriptorProto's.
///
///     message Page { repeated Person people = 4; }
///
/// is `MessageNode(name: "Page", fields: [FieldNode(label: .repeated, typeName: "Person", name: "people", number: 4)])`;
/// linking makes the type name `starwars.v1.Person` and its kind `message`.
struct FileNode: Sendable {
    var path: String
    var isProto3 = true
    var package: Name?
    var imports: [ImportNode] = []
    var messages: [MessageNode] = []
    var enums: [EnumNode] = []
    var services: [ServiceNode] = []
    var extensions: [FieldNode] = []
    var options = OptionsNode()
    /// A statement could not be read or a type not be found: what refers to this file may miss something.
    var isDamaged = false
    /// The built-in descriptor.proto when no file imports it: its options are known, but it is no part of the set.
    var isImplicit = false

    /// The start of the file, for faults without a better place.
    var location: SourceLocation { SourceLocation(file: path, line: 1, column: 1) }
}

/// A name as written, possibly dotted, and where.
struct Name: Sendable {
    var text: String
    var location: SourceLocation
}

struct ImportNode: Sendable {
    enum Kind: Sendable { case plain, `public`, weak }
    var path: Name
    var kind: Kind
}

struct MessageNode: Sendable {
    var name: Name
    /// Filled by the linker.
    var fullName = ""
    var fields: [FieldNode] = []
    var extensions: [FieldNode] = []
    var messages: [MessageNode] = []
    var enums: [EnumNode] = []
    /// Real ones first, then the synthetic ones of `optional` fields.
    var oneofs: [OneofNode] = []
    var extensionRanges: [NumberRange] = []
    var reservedRanges: [NumberRange] = []
    var reservedNames: [Name] = []
    var isMapEntry = false
    var options = OptionsNode()
}

struct OneofNode: Sendable {
    var name: Name
    var isSynthetic = false
    var options = OptionsNode()
}

/// Both ends belong to it.
struct NumberRange: Sendable {
    var first: Int
    var last: Int
    var location: SourceLocation
}

/// google.protobuf.FieldDescriptorProto.Type.
enum FieldKind: UInt8, Sendable {
    case double = 1, float, int64, uint64, int32, fixed64, fixed32, bool, string, group, message, bytes
    case uint32, enumeration, sfixed32, sfixed64, sint32, sint64

    /// The types that have a keyword.
    static let scalars: [String: FieldKind] = [
        "double": .double, "float": .float, "int64": .int64, "uint64": .uint64, "int32": .int32,
        "fixed64": .fixed64, "fixed32": .fixed32, "bool": .bool, "string": .string, "bytes": .bytes,
        "uint32": .uint32, "sfixed32": .sfixed32, "sfixed64": .sfixed64, "sint32": .sint32, "sint64": .sint64,
    ]

    /// A repeated field of this type can be packed.
    var isPackable: Bool {
        switch self {
        case .string, .bytes, .message, .group: false
        case .double, .float, .int64, .uint64, .int32, .fixed64, .fixed32, .bool, .uint32, .enumeration,
            .sfixed32, .sfixed64, .sint32, .sint64:
            true
        }
    }
}

struct FieldNode: Sendable {
    enum Label: UInt8, Sendable { case optional = 1, required, repeated }
    var label: Label
    /// Nil until the linker knows whether ``typeName`` is a message or an enum; stays nil when it is neither.
    var kind: FieldKind?
    /// As written; made the full name by the linker.
    var typeName: Name?
    var name: Name
    var number: Int
    var numberLocation: SourceLocation
    /// Index into ``MessageNode/oneofs``.
    var oneof: Int?
    /// `optional` in proto3: presence is kept.
    var isProto3Optional = false
    /// The message that an extension extends; made the full name by the linker.
    var extendee: Name?
    var jsonName: String?
    /// proto2's, as the descriptor spells it; only google/protobuf/descriptor.proto has any.
    var defaultValue: String?
    var options = OptionsNode()
}

struct EnumNode: Sendable {
    var name: Name
    /// Filled by the linker.
    var fullName = ""
    var values: [EnumValueNode] = []
    var reservedRanges: [NumberRange] = []
    var reservedNames: [Name] = []
    /// From a descriptor set, which has no option statements.
    var allowsAliases = false
    var options = OptionsNode()
}

struct EnumValueNode: Sendable {
    var name: Name
    var number: Int32
    var options = OptionsNode()
}

struct ServiceNode: Sendable {
    var name: Name
    var methods: [MethodNode] = []
    var options = OptionsNode()
}

struct MethodNode: Sendable {
    var name: Name
    /// As written; made full names by the linker.
    var input: Name
    var output: Name
    var documentation = ""
    var options = OptionsNode()
}
