import PorticoSchema
import PorticoTranscode

extension ValueKind where Value == Bool {
    /// flagd's `state`.
    static let flagState = ValueKind(
        name: "ENABLED or DISABLED", shape: .choice(["ENABLED", "DISABLED"]),
        read: { raw throws(Refusal) in
            let text = try raw.text(expected: "ENABLED or DISABLED")
            switch text {
            case "ENABLED": return true
            case "DISABLED": return false
            default:
                let nearest = Spelling.nearest(to: text, among: ["ENABLED", "DISABLED"])
                throw Refusal(
                    "\(raw.shown) is not ENABLED or DISABLED\(raw.hint(nearest.map { "\"\($0)\"" }))")
            }
        },
        show: { $0 ? "ENABLED" : "DISABLED" })
}

extension ValueKind where Value == String {
    static let variantName = ValueKind(
        name: "name of a variant", shape: .text(pattern: nil),
        read: { raw throws(Refusal) in try raw.text(expected: "the name of a variant") },
        show: { $0 })

    static let flagName = ValueKind(
        name: "name of a flag", shape: .text(pattern: "."),
        read: { raw throws(Refusal) in
            let text = try raw.text(expected: "the name of a flag")
            if let problem = NameKind.flag.problem(with: text) { throw Refusal("\(raw.shown): \(problem)") }
            return text
        },
        show: { $0 })
}

extension ValueKind where Value == [String: JSONValue] {
    /// Values of one JSON type: a client asks for a flag with the type it expects.
    static let flagVariants = ValueKind(
        name: "object of values", shape: .values,
        read: { raw throws(Refusal) in
            let document = try raw.document(expected: "an object of values by name")
            guard case .object(let members) = document.content else {
                throw Refusal("expected an object of values by name, found \(document.kindName)")
            }
            guard let first = members.first else { throw Refusal("needs at least one variant") }
            for member in members where member.value.kindName != first.value.kindName {
                throw Refusal(
                    "all variants are of one type, but `\(first.name)` is \(first.value.kindName) and "
                        + "`\(member.name)` is \(member.value.kindName)",
                    at: member.value.location)
            }
            return Dictionary(uniqueKeysWithValues: members.map { ($0.name, $0.value.value) })
        },
        show: { variants in
            JSONValue.object(variants.sorted { $0.key < $1.key }.map { .init($0.key, $0.value) }).compactText
        })
}

extension ValueKind where Value == JSONValue {
    static let targeting = ValueKind(
        name: "JsonLogic", shape: .any,
        read: { raw throws(Refusal) in
            let document = try raw.document(expected: "a JsonLogic rule")
            if let fault = TargetingRules.firstFault(in: document) {
                throw Refusal(fault.message, at: fault.location)
            }
            return document.value
        },
        show: { $0.compactText })
}
