/// A field of each record names another record, and something of that one is put into the record.
package struct JoinBinding: Equatable, Sendable {
    /// What a key looks like at its end: `planets/{id}/` finds `1` in `https://swapi.dev/api/planets/1/`.
    package struct Pattern: Equatable, Sendable {
        package var before: String
        /// Field of the request of ``JoinBinding/from`` that the text between the two is for.
        package var field: String
        package var after: String

        package init(before: String = "", field: String, after: String = "") {
            self.before = before
            self.field = field
            self.after = after
        }
    }

    /// Field of the source's answer that holds the records; nil: the answer is the record.
    package var list: String?
    /// String or integer field of the record.
    package var key: String
    package var match: Pattern
    /// Bound to an upstream that it reads.
    package var from: MethodID
    /// Field of what ``from`` answers; nil: all of it.
    package var take: String?
    /// Field of the record, of the type of what is taken.
    package var into: String

    package init(
        list: String?, key: String, match: Pattern, from: MethodID, take: String? = nil, into: String
    ) {
        self.list = list
        self.key = key
        self.match = match
        self.from = from
        self.take = take
        self.into = into
    }
}
