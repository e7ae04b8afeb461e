/// A position in a schema file, counted from 1; columns count Unicode scalars.
package struct SourceLocation: Hashable, Sendable {
    package let file: String
    package let line: Int
    package let column: Int

    package init(file: String, line: Int, column: Int) {
        self.file = file
        self.line = line
        self.column = column
    }
}

/// Index of a message in ``Schema/messages``. Indices, not references, so that recursive messages are plain values.
package struct MessageID: Hashable, Sendable {
    package let index: Int
    package init(_ index: Int) { self.index = index }
}

/// Index of an enum in ``Schema/enums``.
package struct EnumID: Hashable, Sendable {
    package let index: Int
    package init(_ index: Int) { self.index = index }
}

/// Index of a method in ``Schema/methods``.
package struct MethodID: Hashable, Sendable {
    package let index: Int
    package init(_ index: Int) { self.index = index }
}

/// The type of one value of a field (google.protobuf.FieldDescriptorProto.Type, without groups).
package enum FieldType: Hashable, Sendable {
    case double, float
    case int32, int64, uint32, uint64, sint32, sint64
    case fixed32, fixed64, sfixed32, sfixed64
    case bool, string, bytes
    case message(MessageID)
    case enumeration(EnumID)
}

/// How often a field occurs. Proto3 scalars without `optional` are ``implicit``: zero and absent are one.
package enum FieldCardinality: Hashable, Sendable {
    case implicit
    case optional
    case repeated(packed: Bool)
    /// A map; the field's type is its synthetic entry message, with `key = 1` and `value = 2`.
    case map
}

/// What a field means to a grouped view: `(portico.v1.role)`.
package enum FieldRole: String, Hashable, Sendable {
    case key, count, label, items, cursor, distinct
}

package struct FieldDescriptor: Sendable {
    /// The proto name, `eye_color`.
    package var name: String
    /// The JSON name: `json_name` if given, else lowerCamelCase of ``name``.
    package var jsonName: String
    package var number: Int
    package var type: FieldType
    package var cardinality: FieldCardinality
    /// Index into ``MessageDescriptor/oneofs`` of the real (not synthetic) oneof this field belongs to.
    package var oneof: Int?
    /// `(portico.v1.path)`: where the value lies in the upstream's JSON, from the message's own object on.
    package var path: [String]
    package var role: FieldRole?
    /// `(portico.v1.required)`: an item without this field does not fit the schema.
    package var isRequired: Bool
    /// `(portico.v1.rules)`: what it must hold in a request.
    package var rules: FieldRules?
    /// Where a body for the upstream has it: ``path``, else `json_name` if the schema gives one, else ``name``.
    package var bodyPath: [String]
    package var location: SourceLocation

    package init(
        name: String, jsonName: String, number: Int, type: FieldType, cardinality: FieldCardinality,
        oneof: Int? = nil, path: [String] = [], role: FieldRole? = nil, isRequired: Bool = false,
        location: SourceLocation
    ) {
        self.name = name
        self.jsonName = jsonName
        self.number = number
        self.type = type
        self.cardinality = cardinality
        self.oneof = oneof
        self.path = path
        self.role = role
        self.isRequired = isRequired
        bodyPath = path.isEmpty ? [name] : path
        self.location = location
    }
}

package struct MessageDescriptor: Sendable {
    /// Without a leading dot: `starwars.v1.Person`, nested ones `pkg.Outer.Inner`.
    package var fullName: String
    /// In order of declaration.
    package var fields: [FieldDescriptor]
    package var oneofs: [String]
    /// True for the synthetic entry of a map field.
    package var isMapEntry: Bool
    package var location: SourceLocation

    package init(
        fullName: String, fields: [FieldDescriptor], oneofs: [String] = [], isMapEntry: Bool = false,
        location: SourceLocation
    ) {
        self.fullName = fullName
        self.fields = fields
        self.oneofs = oneofs
        self.isMapEntry = isMapEntry
        self.location = location
    }

    package func field(named name: String) -> FieldDescriptor? { fields.first { $0.name == name } }
    package func field(number: Int) -> FieldDescriptor? { fields.first { $0.number == number } }
}

package struct EnumValueDescriptor: Sendable {
    package var name: String
    package var number: Int32
    /// `(portico.v1.json)`: the upstream's spelling, e.g. `n/a`.
    package var json: String?

    package init(name: String, number: Int32, json: String? = nil) {
        self.name = name
        self.number = number
        self.json = json
    }
}

package struct EnumDescriptor: Sendable {
    package var fullName: String
    /// In order of declaration; the first has number 0 (proto3). Aliases share a number.
    package var values: [EnumValueDescriptor]
    package var location: SourceLocation

    package init(fullName: String, values: [EnumValueDescriptor], location: SourceLocation) {
        self.fullName = fullName
        self.values = values
        self.location = location
    }
}

package struct MethodDescriptor: Sendable {
    /// `ListPeople`
    package var name: String
    /// `starwars.v1.Characters`
    package var service: String
    package var input: MessageID
    package var output: MessageID
    package var binding: MethodBinding
    /// The leading comment of the method, for `portico describe`; may be empty.
    package var documentation: String
    /// `(portico.v1.invalidates)`: the methods whose kept answers a successful call of this one makes void.
    package var invalidates: [MethodID] = []
    package var location: SourceLocation

    /// The route clients call: `starwars.v1.Characters/ListPeople`.
    package var route: String { "\(service)/\(name)" }

    package init(
        name: String, service: String, input: MessageID, output: MessageID, binding: MethodBinding,
        documentation: String = "", location: SourceLocation
    ) {
        self.name = name
        self.service = service
        self.input = input
        self.output = output
        self.binding = binding
        self.documentation = documentation
        self.location = location
    }
}
