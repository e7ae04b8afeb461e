import PorticoConfig
import PorticoSchema
import PorticoTranscode

/// A request as a person types it: JSON that must fit its message in every part. From an upstream a server takes what
/// it can; a person who misspells a field wants to be told.
struct RequestText {
    let json: String
    let schema: Schema

    /// - Returns: the encoded message.
    /// - Throws: every fault found, as `request:line:column: message`, exit status 65.
    func encoded(as message: MessageID) throws(RemoteServer.Fault) -> [UInt8] {
        let bytes = Array(json.utf8)
        var faults: [DocumentFault]
        do {
            var check = NameCheck(schema: schema)
            check.visit(try DocumentReader.read(bytes, file: "request"), as: message)
            faults = check.faults
        } catch { faults = error.faults }
        if faults.isEmpty {
            do {
                let decoder = RecordDecoder(
                    schema: schema.plain, message: message, options: DecodeOptions(mode: .strict))
                return try decoder.decode(bytes.span).bytes
            } catch {
                let place = TextPosition(of: error.offset ?? 0, in: bytes.span)
                let location = SourceLocation(file: "request", line: place.line, column: place.column)
                faults = [DocumentFault(location, "\(error)")]
            }
        }
        throw RemoteServer.Fault(.badInput, faults.map(\.description).joined(separator: "\n"))
    }
}

/// Looks for names of fields and of enum values that the schema does not have.
private struct NameCheck {
    let schema: Schema
    var faults: [DocumentFault] = []

    mutating func visit(_ document: JSONDocument, as message: MessageID) {
        guard case .object(let members) = document.content else { return }
        let descriptor = schema[message]
        for member in members {
            let field = descriptor.fields.first { $0.jsonName == member.name || $0.name == member.name }
            guard let field else {
                let nearest = Spelling.nearest(to: member.name, among: descriptor.fields.map(\.jsonName))
                let advice = nearest.map { "; did you mean \($0)?" } ?? ""
                faults.append(
                    DocumentFault(
                        member.nameLocation, "\(descriptor.fullName) has no field \(member.name)\(advice)"))
                continue
            }
            visit(member.value, as: field)
        }
    }

    private mutating func visit(_ document: JSONDocument, as field: FieldDescriptor) {
        if case .array(let elements) = document.content {
            for element in elements { visitElement(element, as: field.type) }
        } else if case .map = field.cardinality, case .message(let entry) = field.type,
            case .object(let members) = document.content, let value = schema[entry].field(number: 2)
        {
            for member in members { visitElement(member.value, as: value.type) }
        } else {
            visitElement(document, as: field.type)
        }
    }

    private mutating func visitElement(_ document: JSONDocument, as type: FieldType) {
        if case .message(let message) = type { visit(document, as: message) }
        guard case .enumeration(let id) = type, case .string(let name) = document.content else { return }
        let values = schema[id].values
        guard !values.contains(where: { $0.name == name || $0.json == name }) else { return }
        let names = values.map(\.name)
        let advice =
            Spelling.nearest(to: name, among: names).map { "did you mean \($0)?" }
            ?? "it has \(names.joined(separator: ", "))"
        faults.append(
            DocumentFault(
                document.location, "\(schema[id].fullName) has no value \(name); \(advice)"))
    }
}
