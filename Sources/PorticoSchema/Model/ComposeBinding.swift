/// An answer that is put together from the answers of other methods.
package struct ComposeBinding: Sendable {
    /// In the order of the schema.
    package var parts: [Part]
    /// Repeated field of the response, of `portico.v1.SourceStatus`: how each part fared.
    package var sources: String

    package struct Part: Equatable, Sendable {
        /// Message field of the response, of the type that ``from`` answers.
        package var field: String
        /// Bound to an upstream that it reads, or a view; its request is filled by fields of equal name.
        package var from: MethodID
        /// Without it the call fails.
        package var isRequired: Bool

        package init(field: String, from: MethodID, isRequired: Bool = false) {
            self.field = field
            self.from = from
            self.isRequired = isRequired
        }
    }

    package init(parts: [Part], sources: String) {
        self.parts = parts
        self.sources = sources
    }
}
