/// What an answer's header fields say about keeping it: `Cache-Control`, `Expires`, `Date`, `Age` and `Vary` (RFC 9111).
///
/// Which fields `Vary` names is not asked about: calls of one key send the same ones, those that the environment gives
/// and those that a caller's identity stands for, so that an answer that varies by them is always the matching one
/// (section 4.1). `Vary: *` says that it varies by what no field tells: such an answer matches no later call.
///
/// `private` is not asked about: what is kept is kept under the identity that it was given to. `must-revalidate` ends
/// freshness like anything else; whether a stale answer may be given while the upstream fails is for the environment.
package struct CacheControl: Equatable, Sendable {
    /// How much longer the answer is fresh; nil: nothing is said.
    package var lifetime: Duration?
    /// `no-store`: not to be kept any longer than the environment insists on.
    package var forbidsKeeping: Bool
    /// `Vary: *`: never given to a later call, whatever the environment says. Calls that wait together share it still.
    package var forbidsReuse: Bool

    package init(lifetime: Duration? = nil, forbidsKeeping: Bool = false, forbidsReuse: Bool = false) {
        self.lifetime = lifetime
        self.forbidsKeeping = forbidsKeeping
        self.forbidsReuse = forbidsReuse
    }

    /// - Parameter now: seconds since 1970, for an `Expires` without a `Date`.
    package init(_ response: HTTPResponse, secondsSince1970 now: Int64) {
        let directives = Self.directives(response)
        forbidsKeeping = directives["no-store"] != nil
        forbidsReuse = Self.variesByEverything(response)
        if directives["no-cache"] != nil || forbidsKeeping || forbidsReuse {
            lifetime = .zero
            return
        }
        // A store that serves many follows s-maxage first (section 4.2.1).
        let stated = (directives["s-maxage"] ?? directives["max-age"]).map(Self.seconds)
        guard let total = stated ?? Self.untilExpiry(response, now) else { return }
        let age = response["Age"].map(Self.seconds) ?? 0
        lifetime = .seconds(max(0, total - age))
    }

    /// Of an answer that is made of several: what the strictest of them says.
    package init(strictestOf all: [CacheControl]) {
        lifetime = all.compactMap(\.lifetime).min()
        forbidsKeeping = all.contains { $0.forbidsKeeping }
        forbidsReuse = all.contains { $0.forbidsReuse }
    }

    private static func variesByEverything(_ response: HTTPResponse) -> Bool {
        response.fields.contains { field in
            field.isNamed("Vary") && field.value.split(separator: ",").contains { $0.trimmingBlanks == "*" }
        }
    }

    /// By lower-case name; an argument that is not there is empty. The first of equal ones counts (section 4.2.1).
    private static func directives(_ response: HTTPResponse) -> [String: String] {
        let fields = response.fields.filter { $0.isNamed("Cache-Control") }
        var found: [String: String] = [:]
        for directive in fields.flatMap({ $0.value.split(separator: ",") }) {
            let parts = directive.filter { $0 != " " && $0 != "\t" && $0 != "\"" }.split(
                separator: "=", maxSplits: 1)
            guard let name = parts.first?.lowercased(), found[name] == nil else { continue }
            found[name] = parts.count > 1 ? String(parts[1]) : ""
        }
        return found
    }

    /// What cannot be read is over (section 4.2.1); more than a century is a century.
    private static func seconds(_ text: String) -> Int64 {
        guard !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return 0 }
        return min(Int64(text) ?? century, century)
    }

    private static let century: Int64 = 100 * 365 * 86_400

    /// Nil: no `Expires`. One that cannot be read, such as `0`, is in the past (section 5.3).
    private static func untilExpiry(_ response: HTTPResponse, _ now: Int64) -> Int64? {
        guard let text = response["Expires"] else { return nil }
        let date = response["Date"].flatMap(HTTPDate.secondsSince1970) ?? now
        return HTTPDate.secondsSince1970(text).map { max(0, min($0 - date, century)) } ?? 0
    }
}
