#if canImport(PorticoUpstream)
    import PorticoUpstream
#endif

/// Any bytes as a picture: what is taken for one has a size within the limits, and a PNG that is made smaller is the same
/// picture still.
enum ImageFuzz {
    private static let limits = ImageLimits(pixels: 1 << 20, frames: 100, allowsSVG: true)

    static func run(_ bytes: [UInt8]) {
        guard let facts = try? ImageInspector.inspect(bytes.span, within: limits) else { return }
        precondition(facts.width > 0 && facts.height > 0 && facts.frames > 0)
        precondition(facts.width * facts.height <= limits.pixels && facts.frames <= limits.frames)
        guard facts.format == .png, facts.width * facts.height < 1 << 12 else { return }
        guard let small = PNGShrinker.shrink(bytes) else { return }
        precondition(small.count < bytes.count)
        precondition((try? ImageInspector.inspect(small.span, within: limits)) == facts)
    }
}
