/// The beginning of a body whose connection broke, and what must be true of the rest (RFC 9110 sections 13.1.5, 14, 15.3.7).
///
/// Worked example: of 10 bytes 4 came, with `ETag: "a"`. The next request says `Range: bytes=4-` and `If-Range: "a"`; the rest
/// is `206`, `Content-Range: bytes 4-9/10`, `ETag: "a"` and six bytes. Whatever else comes is not joined.
struct PartialBody: Equatable, Sendable {
    /// What both parts must be equal in.
    private enum Validator: Equatable {
        case tag(String)
        case date(String)

        var text: String {
            switch self {
            case .tag(let text), .date(let text): text
            }
        }
    }

    /// Where it came from, behind all redirects: a tag says nothing about another place.
    let url: HTTPURL
    private(set) var body: [UInt8]
    private let head: [HTTPField]
    private let validator: Validator
    /// Of the whole; nil: not known.
    private var totalBytes: Int?

    /// Nil: nothing has come, or the upstream does not let it be resumed.
    ///
    /// - Parameter response: its body is what has come.
    init?(_ response: HTTPResponse, of url: HTTPURL) {
        guard response.status == 200, !response.body.isEmpty, response.isPlain,
            response["Accept-Ranges"]?.lowercased().split(separator: ",").contains(where: {
                $0.trimmingBlanks == "bytes"
            }) == true, let validator = Self.validator(of: response)
        else { return nil }
        self.url = url
        self.validator = validator
        body = response.body
        head = response.fields
        totalBytes = response["Content-Length"].flatMap { Int($0) }
        if let totalBytes, totalBytes <= body.count { return nil }
    }

    /// What asks for the rest.
    var fields: [HTTPField] {
        [HTTPField("Range", "bytes=\(body.count)-"), HTTPField("If-Range", validator.text)]
    }

    /// Nil: it is not the rest.
    func joined(with response: HTTPResponse) -> HTTPResponse? {
        guard let total = total(of: response), response.body.count == total - body.count else { return nil }
        return HTTPResponse(status: 200, fields: head, body: body + response.body)
    }

    /// Nil: it is not a part of the rest.
    ///
    /// - Parameter response: broken off too; its body is what has come.
    func extended(by response: HTTPResponse) -> PartialBody? {
        guard let total = total(of: response), response.body.count < total - body.count else { return nil }
        var longer = self
        longer.body += response.body
        longer.totalBytes = total
        return longer
    }

    /// Of the whole that `response` is the rest of; nil: it is none.
    private func total(of response: HTTPResponse) -> Int? {
        guard response.status == 206, response.isPlain, isSame(response),
            let range = response["Content-Range"].flatMap({ ContentRange($0) }),
            range.first == body.count, range.last == range.total - 1,
            totalBytes == nil || totalBytes == range.total
        else { return nil }
        return range.total
    }

    /// A tag must be said again; a date may be left out (RFC 9110 section 15.3.7).
    private func isSame(_ response: HTTPResponse) -> Bool {
        switch validator {
        case .tag(let tag): response["ETag"] == tag
        case .date(let date): response["Last-Modified"] == nil || response["Last-Modified"] == date
        }
    }

    /// Only strong ones; a date is strong when it is so much older than the answer that nothing else can have been changed in
    /// that second, and may only be used where there is no tag (RFC 9110 section 8.8.2.2).
    private static func validator(of response: HTTPResponse) -> Validator? {
        let validators = Validators(response)
        if response["ETag"] != nil {
            return validators.entityTag.flatMap { $0.hasPrefix("\"") ? .tag($0) : nil }
        }
        guard let text = validators.lastModified, let changed = HTTPDate.secondsSince1970(text),
            let sent = response["Date"].flatMap({ HTTPDate.secondsSince1970($0) }),
            sent - changed >= settledSeconds
        else { return nil }
        return .date(text)
    }

    private static let settledSeconds: Int64 = 60
}

/// `bytes FIRST-LAST/TOTAL` (RFC 9110 section 14.4).
private struct ContentRange {
    let first: Int
    let last: Int
    let total: Int

    /// Nil: anything else, an unknown total too.
    init?(_ text: String) {
        let words = text.split(separator: " ", omittingEmptySubsequences: false)
        guard words.count == 2, words[0].lowercased() == "bytes" else { return nil }
        let parts = words[1].split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2 else { return nil }
        let ends = parts[0].split(separator: "-", omittingEmptySubsequences: false)
        guard ends.count == 2, let first = ends[0].decimalNumber, let last = ends[1].decimalNumber,
            let total = parts[1].decimalNumber, first <= last, last < total
        else { return nil }
        (self.first, self.last, self.total) = (first, last, total)
    }
}

extension HTTPResponse {
    /// Its bytes are those that ranges count.
    fileprivate var isPlain: Bool {
        fields.allSatisfy { !$0.isNamed("Content-Encoding") || $0.value.lowercased() == "identity" }
    }
}
