import PorticoSchema

/// What only the whole configuration can show: values that are right by themselves and wrong together.
enum WholeChecks {
    struct Finding {
        /// The key that is reported; nothing is, if its own value or one of ``others`` could not be read.
        let key: String
        var others: [String] = []
        let message: String
    }

    static let all: [@Sendable (Configuration) -> [Finding]] = [
        addresses, sizes, sandboxURLs, headers, retries, flagVariants, MethodFlagChecks.findings,
    ]

    @Sendable private static func addresses(_ configuration: Configuration) -> [Finding] {
        let named: [(key: String, address: String?)] = [
            ("listen.address", configuration.listen.address),
            ("operator.address", configuration.operatorInterface.address),
            ("sandbox.address", configuration.sandbox.address),
        ]
        let used = named.compactMap { key, text in text.flatMap(ListenAddress.init).map { (key, $0) } }
        return used.enumerated().flatMap { index, later in
            used[..<index].filter { later.1.collides(with: $0.1) }.map {
                Finding(key: later.0, others: [$0.0], message: "is the same address as \($0.0)")
            }
        }
    }

    @Sendable private static func sizes(_ configuration: Configuration) -> [Finding] {
        let limits = configuration.limits
        guard limits.metadataBytes > limits.messageBytes else { return [] }
        return [
            Finding(
                key: "limits.metadataBytes", others: ["limits.messageBytes"],
                message: "\(ByteSize.text(limits.metadataBytes)) is more than limits.messageBytes, "
                    + ByteSize.text(limits.messageBytes))
        ]
    }

    @Sendable private static func sandboxURLs(_ configuration: Configuration) -> [Finding] {
        guard configuration.sandbox.address == nil else { return [] }
        return configuration.upstreams.keys.sorted()
            .filter { configuration.upstreams[$0].map { BaseURL.sandboxName($0.baseURL) } != .some(nil) }
            .map { name in
                Finding(
                    key: "upstreams.\(name).baseURL", others: ["sandbox.address"],
                    message: "points at the sandbox, but sandbox.address is not set")
            }
    }

    @Sendable private static func headers(_ configuration: Configuration) -> [Finding] {
        configuration.upstreams.sorted { $0.key < $1.key }.flatMap { name, upstream in
            var written: [String: String] = [:]
            return upstream.headers.keys.sorted().compactMap { field in
                let (key, lowered) = ("upstreams.\(name).headers.\(field)", field.lowercased())
                if Configuration.Upstream.reservedHeaders.contains(lowered) {
                    return Finding(
                        key: key, message: "the client writes this field by itself, or not at all")
                }
                guard let other = written.updateValue(field, forKey: lowered) else { return nil }
                return Finding(key: key, message: "is the same field as \(other)")
            }
        }
    }

    @Sendable private static func retries(_ configuration: Configuration) -> [Finding] {
        configuration.upstreams.sorted { $0.key < $1.key }.compactMap { name, upstream in
            guard upstream.retry.baseDelay > upstream.retry.maxDelay else { return nil }
            let keys = ["baseDelay", "maxDelay"].map { "upstreams.\(name).retry.\($0)" }
            return Finding(
                key: keys[0], others: [keys[1]],
                message: "\(DurationText.text(upstream.retry.baseDelay)) is longer than \(keys[1]), "
                    + DurationText.text(upstream.retry.maxDelay))
        }
    }

    @Sendable private static func flagVariants(_ configuration: Configuration) -> [Finding] {
        configuration.flags.sorted { $0.key < $1.key }.flatMap { name, flag in
            let variants = "flags.\(name).variants"
            let known = flag.variants.keys.sorted()
            func unknown(_ variant: String, at key: String) -> Finding {
                let hint =
                    Spelling.nearest(to: variant, among: known).map { "; did you mean \"\($0)\"?" } ?? ""
                return Finding(
                    key: key, others: [variants], message: "no variant is named \"\(variant)\"\(hint)")
            }
            let rules = flag.targeting.map { TargetingRules.literalVariants(in: $0) } ?? []
            let wrong = ([(flag.defaultVariant, "defaultVariant")] + rules.map { ($0, "targeting") })
                .filter { flag.variants[$0.0] == nil }
            return wrong.map { unknown($0.0, at: "flags.\(name).\($0.1)") }
        }
    }
}
