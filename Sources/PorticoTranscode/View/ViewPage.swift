import PorticoSchema

/// How a view's result is cut into pages, compiled: where in the request the page is chosen.
struct ViewPage: Sendable {
    /// One page of a result.
    struct Window {
        let range: Range<Int>
        /// Nil on the last page, and where no cursor is asked for.
        let next: PageCursor?
    }

    private let size: Int
    private let number: Int?
    private let cursor: Int?
    private let limits: ViewBinding.Page

    /// - Parameter request: gets the columns.
    init(_ page: ViewBinding.Page, request: inout ColumnPlan) throws(TranscodeError) {
        size = try request.requireInteger(page.size)
        number = try page.number.map { name throws(TranscodeError) in try request.requireInteger(name) }
        cursor = try page.cursor.map { name throws(TranscodeError) in try request.requireText(name) }
        limits = page
    }

    /// Which of `count` items or groups the request asks for; none past the end.
    /// - Throws: ``TranscodeError/invalidCursor``.
    func window(
        _ request: RequestValues, of count: Int, fingerprintOf item: (Int) -> UInt64
    ) throws(TranscodeError) -> Window {
        let asked = request.positive(size) ?? limits.defaultSize
        let size = max(1, min(asked, limits.maximumSize))
        let start = try start(request, pageOf: size, count: count, fingerprintOf: item)
        let end = start + min(size, count - start)
        guard cursor != nil, start < end, end < count else { return Window(range: start..<end, next: nil) }
        return Window(
            range: start..<end, next: PageCursor(position: end, fingerprint: item(end - 1)))
    }

    private func start(
        _ request: RequestValues, pageOf size: Int, count: Int, fingerprintOf item: (Int) -> UInt64
    ) throws(TranscodeError) -> Int {
        if let cursor, case .text(let text) = request.operand(cursor), !text.isEmpty {
            guard let cursor = PageCursor(text) else { throw .invalidCursor }
            return cursor.next(among: count, fingerprintOf: item)
        }
        let before = (number.flatMap { request.positive($0) } ?? 1) - 1
        let (start, isTooFar) = before.multipliedReportingOverflow(by: size)
        return isTooFar ? count : min(start, count)
    }
}

extension ColumnPlan {
    fileprivate mutating func requireInteger(_ field: String) throws(TranscodeError) -> Int {
        let column = try require([field])
        guard shapes[column].isInteger else {
            throw .unsuitableView("the request's \(field) is not an integer")
        }
        return column
    }

    fileprivate mutating func requireText(_ field: String) throws(TranscodeError) -> Int {
        let column = try require([field])
        guard shapes[column].field.type == .string else {
            throw .unsuitableView("the request's \(field) is not a string")
        }
        return column
    }
}
