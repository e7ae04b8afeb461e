/// Line and column of a byte offset, both counted from 1; a column counts Unicode scalars. Computed when an error is
/// shown, so that reading keeps no line count.
///
/// In `{\n  "a": ?` the `?` at offset 9 is line 2, column 8.
package struct TextPosition: Equatable, Sendable, CustomStringConvertible {
    package let line: Int
    package let column: Int

    /// - Parameter offset: clamped to the end of `text`.
    package init(of offset: Int, in text: Span<UInt8>) {
        var (line, column) = (1, 1)
        for index in 0..<min(offset, text.count) {
            let byte = text[index]
            if byte == UInt8(ascii: "\n") {
                line += 1
                column = 1
            } else if byte & 0xc0 != 0x80 {  // continuation bytes belong to the scalar before them
                column += 1
            }
        }
        (self.line, self.column) = (line, column)
    }

    package var description: String { "\(line):\(column)" }
}
