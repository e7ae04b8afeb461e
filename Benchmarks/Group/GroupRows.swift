import PorticoTranscode
import PorticoWire

/// What `Dictionary(grouping:)` gets: the fields of ``GroupRows``' records as a Swift program has them.
struct PersonRow {
    let name: String
    let mass: Int32
    let eyeColor: String
}

/// The same people as encoded records and as structs, their colours in random order.
struct GroupRows {
    let records: Records
    let structs: [PersonRow]

    init(count: Int, keys: Int) {
        var random = SeededRandom(seed: 1983)
        let colors = EyeColors(count: keys)
        var writer = ProtobufWriter()
        var ranges: [ByteRange] = []
        var structs: [PersonRow] = []
        ranges.reserveCapacity(count)
        structs.reserveCapacity(count)
        writer.bytes.reserveCapacity(count * 40)
        for number in 0..<count {
            let person = PersonRow(
                name: "Person \(number)", mass: Int32(15 + random.below(150)), eyeColor: colors.name(&random))
            let start = writer.bytes.count
            writer.stringField(1, person.name)
            writer.stringField(3, String(person.mass))
            writer.stringField(6, person.eyeColor)
            ranges.append(ByteRange(start..<writer.bytes.count))
            structs.append(person)
        }
        records = Records(bytes: writer.bytes, ranges: ranges)
        self.structs = structs
    }
}
