package import PorticoSchema

/// A method that is put together from the answers of others, with everything that is known before a request comes.
package struct ComposePlan: Sendable {
    /// One of the others.
    struct Part: Sendable {
        let method: MethodID
        /// The response's field, which is the part's name as well.
        let name: String
        let number: Int
        let isRequired: Bool
        let bridge: RequestBridge
    }

    /// What the response is written from, field by field.
    enum Slot: Equatable, Sendable {
        /// Index into ``ComposePlan/parts``.
        case part(Int)
        case sources
    }

    let method: MethodID
    let route: String
    /// In the order of the schema.
    let parts: [Part]
    let sourcesNumber: Int
    /// In ascending order of their fields' numbers.
    let slots: [Slot]

    package init(_ binding: ComposeBinding, of id: MethodID, in schema: Schema) {
        let method = schema[id]
        let (input, output) = (schema[method.input], schema[method.output])
        func number(_ name: String) -> Int {
            guard let number = output.field(named: name)?.number else {
                preconditionFailure("a binding names fields that the schema has: it was checked")
            }
            return number
        }
        let parts = binding.parts.map { part in
            Part(
                method: part.from, name: part.field, number: number(part.field), isRequired: part.isRequired,
                bridge: RequestBridge(from: input, to: schema[schema[part.from].input]))
        }
        let sourcesNumber = number(binding.sources)
        let slots = parts.indices.map { (number: parts[$0].number, slot: Slot.part($0)) }
        self.slots = (slots + [(sourcesNumber, .sources)]).sorted { $0.number < $1.number }.map(\.slot)
        self.parts = parts
        self.sourcesNumber = sourcesNumber
        self.method = id
        route = method.route
    }
}
