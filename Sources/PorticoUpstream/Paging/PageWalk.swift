/// Follows a list to its end: the first page, then the others side by side once their number is known, else one by one.
package struct PageWalk: Equatable, Sendable {
    package struct TooManyPages: Error, Equatable, Sendable {
        package let limit: Int
    }

    private let limit: Int
    private let width: Int
    /// Not asked for yet.
    private var next = 1
    /// As known so far; nil: the last answer will tell.
    private var last: Int?
    private var inFlight = 0

    /// - Parameters:
    ///   - limit: a list of more pages is refused.
    ///   - width: pages asked for at a time.
    package init(limit: Int, width: Int) {
        self.limit = limit
        self.width = width
    }

    /// Every page has been asked for and has answered.
    package var isComplete: Bool { inFlight == 0 && last.map { next > $0 } ?? false }

    /// - Returns: the pages to ask for now.
    package mutating func start() -> Range<Int> {
        precondition(next == 1, "start() twice: a bug in the caller, never bad input")
        next = 2
        inFlight = 1
        return 1..<2
    }

    /// - Returns: the pages to ask for now.
    package mutating func answered(_ page: Int, _ facts: PageFacts) throws(TooManyPages) -> Range<Int> {
        inFlight -= 1
        if page == 1 || last == nil {
            last = facts.lastPage(seenFrom: page)
        } else if page == last, facts.hasNext == true {
            last = page + 1  // the list grew, or its count was wrong: follow the links
        }
        return try pagesToAsk()
    }

    /// A page that cannot be had, and is not waited for any more. Behind it nothing is known, unless an earlier one told.
    ///
    /// - Returns: the pages to ask for now.
    package mutating func lost(_ page: Int) throws(TooManyPages) -> Range<Int> {
        inFlight -= 1
        if last == nil { last = page }
        return try pagesToAsk()
    }

    private mutating func pagesToAsk() throws(TooManyPages) -> Range<Int> {
        if let last, last > limit { throw TooManyPages(limit: limit) }
        guard next <= limit || last != nil else { throw TooManyPages(limit: limit) }
        let wanted = min(last.map { $0 - next + 1 } ?? 1, width - inFlight)
        guard wanted > 0 else { return next..<next }
        defer {
            next += wanted
            inFlight += wanted
        }
        return next..<next + wanted
    }
}
