import PorticoTranscode

/// Bearer tokens: a text may do everything, `{ "token": "…", "roles": ["read"] }` what it says.
extension ValueKind where Value == [AccessToken] {
    private static let keys = ["token", "roles"]

    /// A list in a file; in a variable or an option a JSON list, or one text alone.
    static let tokens = ValueKind(
        name: "list of texts or of objects with token and roles (read, write), never shown", shape: .tokens,
        read: { raw throws(Refusal) in
            let one = ValueKind<Secret>.secret("a token")
            if case .text(let text) = raw.form, !text.hasPrefix("["), !text.hasPrefix("{") {
                return [AccessToken(try one.read(raw).revealed)]
            }
            // What the JSON reader says of a broken list may quote it: not said.
            guard case .array(let elements)? = (try? raw.document(expected: ""))?.content else {
                throw Refusal("expected a list of tokens, or one token alone")
            }
            return try elements.map { (element) throws(Refusal) in try token(element, of: raw) }
        },
        show: { $0.isEmpty ? "none" : $0.map(\.shown).joined(separator: ", ") },
        isSecret: true)

    private static func token(_ element: JSONDocument, of raw: RawValue) throws(Refusal) -> AccessToken {
        let kind = ValueKind<Secret>.secret("a token")
        guard case .object(let members) = element.content else {
            return AccessToken(
                try kind.read(RawValue(form: .document(element), secretNames: raw.secretNames)).revealed)
        }
        for member in members where !keys.contains(member.name) {
            throw Refusal("a token has token and roles, nothing else", at: member.nameLocation)
        }
        guard let text = element["token"] else {
            throw Refusal("a token's object needs token", at: element.location)
        }
        let secret = try kind.read(RawValue(form: .document(text), secretNames: raw.secretNames))
        guard let roles = element["roles"] else {
            throw Refusal("a token's object needs roles: read, write or both", at: element.location)
        }
        return AccessToken(secret.revealed, roles: try self.roles(roles))
    }

    private static func roles(_ document: JSONDocument) throws(Refusal) -> Set<AccessToken.Role> {
        let expected = "roles are a list of read, write or both"
        guard case .array(let elements) = document.content, !elements.isEmpty else {
            throw Refusal(expected, at: document.location)
        }
        var roles: Set<AccessToken.Role> = []
        for element in elements {
            guard case .string(let name) = element.content, let role = AccessToken.Role(rawValue: name) else {
                throw Refusal(expected, at: element.location)
            }
            roles.insert(role)
        }
        return roles
    }
}

extension AccessToken {
    /// For people: never the token itself.
    fileprivate var shown: String {
        let names = Role.allCases.filter(roles.contains).map(\.rawValue)
        return roles.count == Role.allCases.count
            ? "\(secret)" : "\(secret) (\(names.joined(separator: ", ")))"
    }
}
