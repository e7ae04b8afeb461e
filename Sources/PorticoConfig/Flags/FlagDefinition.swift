package import PorticoTranscode

/// A feature flag in the flagd definition format (flagd.dev, flag definitions).
package struct FlagDefinition: Sendable, Equatable {
    package var isEnabled: Bool
    package var variants: [String: JSONValue]
    package var defaultVariant: String
    /// JsonLogic over the client's Hello; nil: always the default variant.
    package var targeting: JSONValue?

    package init(
        isEnabled: Bool, variants: [String: JSONValue], defaultVariant: String, targeting: JSONValue? = nil
    ) {
        self.isEnabled = isEnabled
        self.variants = variants
        self.defaultVariant = defaultVariant
        self.targeting = targeting
    }
}
