/// Where the records of a page are, and in them the tapped fields: what the decoder knows when it has written the page.
///
/// A page with two people of whom the second has no eye colour (`eye_color = 6`), and its ``words``:
/// ```
/// offset   0  1  2  3  4  5  6  7  8  9 10 11
/// bytes   22 05 32 03 72 65 64 22 03 0a 01 43       2 5 2, 9 3 absent
///         people eye "red"     people name "C"
/// ```
package struct RecordPlaces: Sendable, Equatable {
    package let tapped: TappedFields
    /// For each record where it begins in the page, its length, and for each tapped field where its tag is; when the field
    /// was left out, that of another field, or ``absent``.
    let words: [UInt32]

    static let absent = UInt32.max

    init(_ tapped: TappedFields, words: [UInt32]) {
        (self.tapped, self.words) = (tapped, words)
    }

    /// What they take up, spare room too.
    package var bytes: Int { words.capacity * MemoryLayout<UInt32>.stride }

    /// Words of a record before those of its fields.
    static let recordWords = 2
    /// Words for each record.
    var step: Int { Self.recordWords + tapped.fields.count }
    /// How many records there are.
    var count: Int { words.count / step }
}

/// An answer of a list method as a view takes it.
package struct RecordPage: Sendable, Equatable {
    /// The encoded message.
    package let bytes: [UInt8]
    /// Nil: nobody knows; a view walks through the page.
    package let places: RecordPlaces?

    package init(_ bytes: [UInt8], places: RecordPlaces? = nil) {
        self.bytes = bytes
        self.places = places
    }
}
