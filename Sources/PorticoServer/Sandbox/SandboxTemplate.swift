import Foundation
package import PorticoTranscode

/// JSON with `{{name}}` places, as `Environments/Sandbox/README.md` describes them, compiled once.
///
/// Worked example, with `films` = `[1, 2]` and `id` = `7`: `"{{id}}"` is the number 7, `"p/{{id}}/"` is `"p/7/"`, and
/// `"f/{{films}}"` is `["f/1", "f/2"]`.
package indirect enum SandboxTemplate: Sendable, Equatable {
    case literal(JSONValue)
    /// A text that is nothing but a placeholder: the value itself.
    case value(of: String)
    case text([Piece])
    case array([SandboxTemplate])
    case object([Member])

    package enum Piece: Sendable, Equatable {
        case literal(String)
        case placeholder(String)
    }

    package struct Member: Sendable, Equatable {
        var name: String
        var value: SandboxTemplate
    }

    package init(_ json: JSONValue) {
        switch json {
        case .null, .bool, .number: self = .literal(json)
        case .string(let text):
            let pieces = Self.pieces(of: text)
            if pieces.count == 1, case .placeholder(let name) = pieces[0] {
                self = .value(of: name)
            } else {
                self = pieces.count < 2 ? .literal(json) : .text(pieces)
            }
        case .array(let elements): self = .array(elements.map(SandboxTemplate.init))
        case .object(let members):
            self = .object(members.map { Member(name: $0.name, value: SandboxTemplate($0.value)) })
        }
    }

    /// - Parameter values: what the placeholders stand for; an absent one is null.
    package func filled(with values: [String: JSONValue]) -> JSONValue {
        switch self {
        case .literal(let json): json
        case .value(let name): values[name] ?? .null
        case .text(let pieces): Self.text(pieces, values)
        case .array(let elements): .array(elements.map { $0.filled(with: values) })
        case .object(let members):
            .object(members.map { JSONValue.Member($0.name, $0.value.filled(with: values)) })
        }
    }

    private static func text(_ pieces: [Piece], _ values: [String: JSONValue]) -> JSONValue {
        var text = ""
        for piece in pieces {
            switch piece {
            case .literal(let literal): text += literal
            case .placeholder(let name):
                if case .array(let elements) = values[name] {
                    return .array(elements.map { Self.text(pieces, values.merging([name: $0]) { $1 }) })
                }
                guard let filled = values[name]?.plainText else { return .null }
                text += filled
            }
        }
        return .string(text)
    }

    private static func pieces(of text: String) -> [Piece] {
        var pieces: [Piece] = []
        var rest = Substring(text)
        while let open = rest.firstRange(of: "{{"), let close = rest[open.upperBound...].firstRange(of: "}}")
        {
            if open.lowerBound > rest.startIndex {
                pieces.append(.literal(String(rest[..<open.lowerBound])))
            }
            pieces.append(.placeholder(String(rest[open.upperBound..<close.lowerBound])))
            rest = rest[close.upperBound...]
        }
        if !rest.isEmpty { pieces.append(.literal(String(rest))) }
        return pieces
    }
}

extension JSONValue {
    /// A scalar as text inside a text; nil for null, lists and objects.
    var plainText: String? {
        switch self {
        case .bool(let bool): bool ? "true" : "false"
        case .number(let text), .string(let text): text
        case .null, .array, .object: nil
        }
    }

    /// The same value with `{{origin}}` filled in wherever a text holds it.
    func resolvingOrigin(_ origin: String) -> JSONValue {
        switch self {
        case .null, .bool, .number: self
        case .string(let text): .string(text.resolvingOrigin(origin))
        case .array(let elements): .array(elements.map { $0.resolvingOrigin(origin) })
        case .object(let members):
            .object(members.map { Member($0.name, $0.value.resolvingOrigin(origin)) })
        }
    }
}

extension String {
    fileprivate static let originMark = "{{origin}}"

    /// Most texts have no brace at all, which is told at a glance: searching them all took an eighth of the start.
    func resolvingOrigin(_ origin: String) -> String {
        utf8.contains(UInt8(ascii: "{")) ? replacing(Self.originMark, with: origin) : self
    }
}

extension [UInt8] {
    var holdsOriginMark: Bool { Data(self).range(of: Data(String.originMark.utf8)) != nil }
}

extension Substring {
    /// Where `part` first occurs. By UTF-8, so that a combining mark behind a brace does not hide it.
    fileprivate func firstRange(of part: String) -> Range<Index>? {
        var start = startIndex
        while start < endIndex {
            if self[start...].utf8.starts(with: part.utf8) {
                return start..<utf8.index(start, offsetBy: part.utf8.count)
            }
            start = utf8.index(after: start)
        }
        return nil
    }
}
