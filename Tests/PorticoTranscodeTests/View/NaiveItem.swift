import PorticoSchema
import PorticoWire
import TestSupport

/// A value as plain Swift has it.
enum NaiveValue: Equatable {
    case text([UInt8])
    case integer(Int64)
    case natural(UInt64)
    case real(Double)

    /// Below zero: before `other`. NaN comes after every number.
    func compare(_ other: NaiveValue) -> Int {
        switch (self, other) {
        case (.text(let left), .text(let right)):
            left == right ? 0 : left.lexicographicallyPrecedes(right) ? -1 : 1
        case (.integer(let left), .integer(let right)): left == right ? 0 : left < right ? -1 : 1
        case (.natural(let left), .natural(let right)): left == right ? 0 : left < right ? -1 : 1
        case (.real(let left), .real(let right)):
            left == right || left.isNaN && right.isNaN ? 0 : left < right || right.isNaN ? -1 : 1
        case (.text, _), (.integer, _), (.natural, _), (.real, _): preconditionFailure("values of two types")
        }
    }

    static func zero(_ type: FieldType) -> NaiveValue {
        switch type {
        case .string, .bytes: .text([])
        case .bool, .uint32, .uint64, .fixed32, .fixed64: .natural(0)
        case .double, .float: .real(0)
        case .int32, .int64, .sint32, .sint64, .sfixed32, .sfixed64, .enumeration: .integer(0)
        case .message: preconditionFailure("a message has no zero")
        }
    }

    var isZero: Bool { self == .text([]) || self == .integer(0) || self == .natural(0) || self == .real(0) }
}

/// A record as plain Swift has it, beside its encoding.
struct NaiveItem {
    var values: [FieldPath: NaiveValue] = [:]
    var hasHome = false
    private(set) var bytes: [UInt8] = []

    /// Nil: missing, by the rules of ``PorticoTranscode/Column``.
    func value(_ path: FieldPath) -> NaiveValue? {
        if let value = values[path] { return value }
        let field = ItemSchema.leaf(path)
        if path.count == 2, !hasHome { return nil }
        return field.cardinality == .optional || field.oneof != nil ? nil : .zero(field.type)
    }

    func keyValue(_ path: FieldPath) -> NaiveValue { value(path) ?? .zero(ItemSchema.leaf(path).type) }
}

extension SeededGenerator {
    mutating func isLucky(_ chances: Int, in total: Int = 100) -> Bool {
        Int.random(in: 0..<total, using: &self) < chances
    }
    mutating func pick<Element>(_ choices: [Element]) -> Element { choices.randomElement(using: &self)! }
}

extension SeededGenerator {
    private static let texts = [
        "", "a", "A", "blue", "green, yellow", "Blue", "blue-gray", "ä", "Ä", "éclair", "zzzzzzzz",
        "zzzzzzzza",
        "zzzzzzzz\0", "\u{1F600}", "\u{FFFF}", "K\u{212A}elvin", "straße", "blueblueblueblueblue",
    ]
    private static let integers: [Int64] = [0, 1, -1, 2, 17, 300, -300, Int64(Int32.max), Int64(Int32.min)]
    private static let reals: [Double] = [
        0, -0.0, 1, -1, 0.5, 2, 17, 1e300, -1e-300, .infinity, -.infinity, .nan,
    ]

    mutating func value(_ type: FieldType) -> NaiveValue {
        switch type {
        case .string, .bytes: return .text(Array(pick(Self.texts).utf8))
        case .bool: return .natural(pick([0, 1]))
        case .uint32, .fixed32: return .natural(pick([0, 1, 2, 17, 300, UInt64(UInt32.max)]))
        case .uint64, .fixed64: return .natural(pick([0, 1, 2, 17, 1 << 63, UInt64.max]))
        case .int32, .sint32, .sfixed32: return .integer(pick(Self.integers))
        case .enumeration: return .integer(pick([0, 1, 2, -1, 7]))
        case .int64, .sint64, .sfixed64: return .integer(pick(Self.integers + [.max, .min, (1 << 53) + 1]))
        case .double: return .real(pick(Self.reals))
        case .float: return .real(Double(Float(pick(Self.reals))))
        case .message: preconditionFailure("no single value")
        }
    }

    /// A random record, its fields in random order, with values that are overwritten later and unknown
    /// fields.
    mutating func item() -> NaiveItem {
        var item = NaiveItem()
        var fields: [(FieldDescriptor, NaiveValue)] = []
        for field in ItemSchema.leaves where field.oneof == nil && isLucky(70) {
            let value = value(field.type)
            item.values[[field.name]] = value
            if isLucky(10) { fields.append((field, self.value(field.type))) }
            fields.append((field, value))
        }
        for field in ItemSchema.leaves.filter({ $0.oneof != nil }).shuffled(using: &self) where isLucky(40) {
            let value = value(field.type)
            for rival in ItemSchema.leaves where rival.oneof != nil { item.values[[rival.name]] = nil }
            item.values[[field.name]] = value
            fields.append((field, value))
        }
        var writer = ProtobufWriter()
        if isLucky(30) { writer.varintField(1000, next()) }
        for (field, value) in fields { writer.write(value, as: field) }
        while isLucky(60) { addHome(to: &item, &writer) }
        if isLucky(30) { writer.stringField(14, "tag") }
        item.finish(writer.bytes)
        return item
    }

    private mutating func addHome(to item: inout NaiveItem, _ writer: inout ProtobufWriter) {
        item.hasHome = true
        var home = ProtobufWriter()
        for field in ItemSchema.homeLeaves where isLucky(60) {
            let value = value(field.type)
            item.values[["home", field.name]] = value
            home.write(value, as: field)
        }
        writer.bytesField(11, home.bytes)
    }
}

extension NaiveItem {
    mutating func finish(_ encoded: [UInt8]) { bytes = encoded }
}

extension ProtobufWriter {
    /// Written out once more for the tests, straight from protobuf.dev's table.
    mutating func write(_ value: NaiveValue, as field: FieldDescriptor) {
        switch (value, field.type) {
        case (.text(let text), _): bytesField(field.number, text)
        case (.integer(let number), .sint32), (.integer(let number), .sint64):
            varintField(field.number, UInt64(bitPattern: (number << 1) ^ (number >> 63)))
        case (.integer(let number), .sfixed64): fixed64Field(field.number, UInt64(bitPattern: number))
        case (.integer(let number), .sfixed32):
            fixed32Field(field.number, UInt32(bitPattern: Int32(number)))
        case (.integer(let number), _): varintField(field.number, UInt64(bitPattern: number))
        case (.natural(let number), .fixed32): fixed32Field(field.number, UInt32(number))
        case (.natural(let number), .fixed64): fixed64Field(field.number, number)
        case (.natural(let number), _): varintField(field.number, number)
        case (.real(let number), .float): fixed32Field(field.number, Float(number).bitPattern)
        case (.real(let number), _): fixed64Field(field.number, number.bitPattern)
        }
    }
}
