/// How names change on their way into JSON and into languages with scoped enums.
enum JSONName {
    /// `eye_color` → `eyeColor`: underscores go, the letter behind one is raised (protoc's rule, also for odd names:
    /// `_a__b` → `AB`).
    static func lowerCamelCase(_ name: String) -> String {
        var result: [UInt8] = []
        var raisesNext = false
        for byte in name.utf8 {
            if byte == UInt8(ascii: "_") {
                raisesNext = true
                continue
            }
            let isLower = (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
            result.append(raisesNext && isLower ? byte - 0x20 : byte)
            raisesNext = false
        }
        return String(decoding: result, as: UTF8.self)
    }

    /// `GENDER_MALE` of `Gender` → `Male`, the form in which two values of one enum must differ.
    static func shortEnumName(_ value: String, of enumName: String) -> String {
        var rest = Array(value.utf8)
        var matched = 0
        let prefix = Array(enumName.lowercased().utf8).filter { $0 != UInt8(ascii: "_") }
        var index = 0
        while index < rest.count, matched < prefix.count {
            let byte = rest[index]
            if byte != UInt8(ascii: "_") {
                guard lowered(byte) == prefix[matched] else { break }
                matched += 1
            }
            index += 1
        }
        if matched == prefix.count {
            let tail = rest[index...].drop { $0 == UInt8(ascii: "_") }
            if !tail.isEmpty { rest = Array(tail) }
        }
        return camelCase(rest)
    }

    /// The first letter of each word raised, the others lowered.
    private static func camelCase(_ name: [UInt8]) -> String {
        var result = ""
        var raisesNext = true
        for byte in name {
            if byte == UInt8(ascii: "_") {
                raisesNext = true
                continue
            }
            let character = Character(UnicodeScalar(byte))
            result += raisesNext ? character.uppercased() : character.lowercased()
            raisesNext = false
        }
        return result
    }

    private static func lowered(_ byte: UInt8) -> UInt8 {
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
    }
}
