import Foundation

/// Writes employees as the directory's upstream has them: a biography of 40 to 120 words, null where it has none.
struct DirectoryWriter: ItemWriter {
    static let opening = #"{"employees":["#
    static let closing = "]}"

    private var random: SeededRandom

    init(seed: UInt64) { random = SeededRandom(seed: seed) }

    mutating func write(item number: Int, to json: inout [UInt8]) {
        let identifier = "\(hex(8))-\(hex(4))-\(hex(4))-\(hex(4))-\(hex(12))"
        let photo = "https://s3.amazonaws.com/sq-mobile-interview/photos/\(identifier)"
        let name = "\(random.pick(Self.given)) \(random.pick(Self.family))"
        let fields = [
            ("uuid", identifier), ("full_name", name), ("phone_number", optional("555\(1_000_000 + number)")),
            ("email_address", "employee.\(number)@example.com"),
            ("biography", optional(Prose.text(words: 40 + random.below(80), &random))),
            ("photo_url_small", optional(photo + "/small.jpg")),
            ("photo_url_large", optional(photo + "/large.jpg")), ("team", random.pick(Self.teams)),
            ("employee_type", random.pick(["FULL_TIME", "FULL_TIME", "PART_TIME", "CONTRACTOR"])),
        ]
        let members = fields.map { name, text in "\"\(name)\":\(text.map { "\"\($0)\"" } ?? "null")" }
        json.append(contentsOf: "{\(members.joined(separator: ","))}".utf8)
    }

    private mutating func optional(_ text: String) -> String? { random.below(3) == 0 ? nil : text }

    private mutating func hex(_ digits: Int) -> String {
        String((0..<digits).map { _ in random.pick(Array("0123456789abcdef")) })
    }

    private static let given = ["Jane", "Justine", "Kaitlyn", "Michael", "Camille", "Jack", "Tim", "Zoë"]
    private static let family = ["Mason", "Spencer", "Rogers", "O'Neil", "Dorsey", "Nakamura", "Müller"]
    private static let teams = [
        "Core", "Invoices", "Point of Sale", "Appointments", "Public Web & Marketing", "Hardware", "Cash",
    ]
}
