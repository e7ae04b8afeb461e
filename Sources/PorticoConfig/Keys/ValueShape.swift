import PorticoTranscode

/// What a value looks like in an environment file, as far as JSON Schema can say it.
indirect enum ValueShape: Sendable, Equatable {
    case bool
    case integer(ClosedRange<Int>)
    /// - pattern: a regular expression (ECMA 262) that is searched for; nil: any text.
    case text(pattern: String?)
    case choice([String])
    /// A list of texts, and of objects with a token and its roles.
    case tokens
    /// At least one value by name.
    case values
    case any
    /// `null` too.
    case optional(ValueShape)

    /// A text that takes something from the process environment is no fault before it is filled.
    private static let interpolated = JSONValue.object([
        .init("type", .string("string")), .init("pattern", .string("\\$\\{")),
    ])

    /// The shape as JSON Schema.
    var schema: JSONValue {
        switch self {
        case .bool: Self.anyOf([Self.type("boolean"), Self.interpolated])
        case .integer(let range):
            Self.anyOf([
                .object([
                    .init("type", .string("integer")), .init("minimum", .number("\(range.lowerBound)")),
                    .init("maximum", .number("\(range.upperBound)")),
                ]), Self.interpolated,
            ])
        case .text(nil): Self.type("string")
        case .text(let pattern?):
            .object([
                .init("type", .string("string")), .init("pattern", .string("\(pattern)|\\$\\{")),
            ])
        case .choice(let choices):
            Self.anyOf([.object([.init("enum", .array(choices.map { .string($0) }))]), Self.interpolated])
        case .tokens:
            Self.anyOf([
                .object([
                    .init("type", .string("array")),
                    .init("items", Self.anyOf([Self.type("string"), Self.token])),
                ]), Self.interpolated,
            ])
        case .values:
            Self.anyOf([
                .object([.init("type", .string("object")), .init("minProperties", .number("1"))]),
                Self.interpolated,
            ])
        case .any: .object([])
        case .optional(.any): .object([])
        case .optional(let shape): Self.anyOf([Self.type("null"), shape.schema])
        }
    }

    private static let token = JSONValue.object([
        .init("type", .string("object")),
        .init(
            "properties",
            .object([
                .init("token", type("string")),
                .init(
                    "roles",
                    .object([
                        .init("type", .string("array")), .init("minItems", .number("1")),
                        .init(
                            "items",
                            .object([
                                .init("enum", .array(AccessToken.Role.allCases.map { .string($0.rawValue) }))
                            ])),
                    ])),
            ])),
        .init("required", .array([.string("token"), .string("roles")])),
        .init("additionalProperties", .bool(false)),
    ])

    private static func type(_ name: String) -> JSONValue { .object([.init("type", .string(name))]) }

    private static func anyOf(_ schemas: [JSONValue]) -> JSONValue {
        .object([.init("anyOf", .array(schemas))])
    }
}
