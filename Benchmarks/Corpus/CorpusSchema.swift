import Foundation
import PorticoSchema
import PorticoTranscode

/// The messages of `corpora.proto`, read from beside this file: peers read the same one.
struct CorpusSchema {
    let schema: Schema
    /// The message of the whole document.
    let page: MessageID
    /// The message of its items.
    let item: MessageID
    /// Number of the page's field that repeats them.
    let items: Int

    init(_ kind: CorpusKind) throws(BenchmarkFault) {
        let path = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("corpora.proto").path
        guard let text = FileManager.default.contents(atPath: path) else {
            throw .file(path, reason: "cannot be read")
        }
        do {
            let file = SchemaFile(path: "corpora.proto", text: String(decoding: text, as: UTF8.self))
            schema = try SchemaCompiler.compile(files: [file])
        } catch {
            throw .corpus("\(path): \(error)")
        }
        guard let page = schema.message(named: kind.message) else {
            throw .corpus("\(path) has no message \(kind.message).")
        }
        let list = schema[page].fields.compactMap { field -> (Int, MessageID)? in
            if case .message(let item) = field.type { (field.number, item) } else { nil }
        }.first
        guard let list else { throw .corpus("\(path): \(kind.message) has no list.") }
        (self.page, items, item) = (page, list.0, list.1)
    }

    /// A text field of the items on encoded pages; nil where it is missing.
    func texts(_ field: String, of pages: [[UInt8]]) throws(BenchmarkFault) -> [String?] {
        do {
            let records = try Records(pages: pages.map { RecordPage($0) }, items: items)
            var plan = ColumnPlan(schema: schema, message: item)
            guard let index = plan.column([field]),
                case .text(let column) = try plan.extract(from: records)[index]
            else { throw BenchmarkFault.wrongResult("\(schema[item].fullName).\(field) is no text.") }
            return column.texts.map { text in
                text.place.isMissing
                    ? nil : String(decoding: records.bytes[text.place.range], as: UTF8.self)
            }
        } catch {
            throw .wrongResult("Portico's records cannot be read: \(error)")
        }
    }
}
