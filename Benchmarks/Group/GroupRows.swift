import PorticoTranscode
import PorticoWire

/// What `Dictionary(grouping:)` gets: the fields of ``GroupRows``' records as a Swift program has them.
struct PersonRow {
    let name: String
    let mass: Int32
    let eyeColor: String
}

/// People as encoded records, as structs, or as a table for the peers: the same ones, their names and colours
/// in random order.
struct GroupRows {
    let count: Int
    let keys: Int

    var records: Records {
        var writer = ProtobufWriter()
        var ranges: [ByteRange] = []
        ranges.reserveCapacity(count)
        writer.bytes.reserveCapacity(count * 40)
        forEach { person in
            let start = writer.bytes.count
            writer.stringField(1, person.name)
            writer.stringField(3, String(person.mass))
            writer.stringField(6, person.eyeColor)
            ranges.append(ByteRange(start..<writer.bytes.count))
        }
        return Records(bytes: writer.bytes, ranges: ranges)
    }

    var structs: [PersonRow] {
        var structs: [PersonRow] = []
        structs.reserveCapacity(count)
        forEach { structs.append($0) }
        return structs
    }

    /// With a line of headings; colours are quoted, because some have a comma.
    var csv: [UInt8] {
        var csv = Array("name,mass,eye_color\n".utf8)
        csv.reserveCapacity(count * 40)
        forEach { person in
            csv.append(contentsOf: "\(person.name),\(person.mass),\"\(person.eyeColor)\"\n".utf8)
        }
        return csv
    }

    private func forEach(_ body: (PersonRow) -> Void) {
        var random = SeededRandom(seed: 1983)
        let colors = EyeColors(count: keys)
        for _ in 0..<count {
            let name = PeopleWriter.plainName(&random)
            body(
                PersonRow(
                    name: name, mass: Int32(15 + random.below(150)), eyeColor: colors.name(&random)))
        }
    }
}
