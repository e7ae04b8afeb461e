/// The picture formats that are passed on, told by their bytes and never by what a server calls them.
package enum ImageFormat: String, Sendable, CaseIterable {
    case png = "image/png"
    case jpeg = "image/jpeg"
    case gif = "image/gif"
    case webp = "image/webp"
    case avif = "image/avif"
    case heic = "image/heic"
    case bmp = "image/bmp"
    case svg = "image/svg+xml"

    /// By the first bytes; nil: none of them.
    package init?(signature bytes: Span<UInt8>) {
        if PNGStructure.isSignature(bytes) {
            self = .png
        } else if bytes.count >= 3, bytes[0] == 0xff, bytes[1] == 0xd8, bytes[2] == 0xff {
            self = .jpeg
        } else if bytes.has("GIF87a", at: 0) || bytes.has("GIF89a", at: 0) {
            self = .gif
        } else if bytes.has("RIFF", at: 0), bytes.has("WEBP", at: 8) {
            self = .webp
        } else if let brand = HEIFStructure.format(bytes) {
            self = brand
        } else if BMPStructure.isSignature(bytes) {
            self = .bmp
        } else if SVGStructure.isSignature(bytes) {
            self = .svg
        } else {
            return nil
        }
    }
}

/// Walks a picture's structure to its end, so that a body that is cut short, changed on its way or something else is not
/// taken for a picture. Pixels are not decoded. Bytes behind a picture's end (cameras put films there) are let be.
package enum ImageInspector {
    package static func inspect(
        _ bytes: Span<UInt8>, within limits: ImageLimits
    ) throws(ImageFault) -> ImageFacts {
        guard let format = ImageFormat(signature: bytes) else { throw .unknownFormat }
        let facts: ImageFacts
        switch format {
        case .png: facts = try PNGStructure.facts(bytes)
        case .jpeg: facts = try JPEGStructure.facts(bytes)
        case .gif: facts = try GIFStructure.facts(bytes)
        case .webp: facts = try WebPStructure.facts(bytes)
        case .avif, .heic: facts = try HEIFStructure.facts(bytes, format)
        case .bmp: facts = try BMPStructure.facts(bytes)
        case .svg:
            guard limits.allowsSVG else { throw .notAllowed(.svg) }
            facts = try SVGStructure.facts(bytes)
        }
        guard facts.width > 0, facts.height > 0 else { throw .broken(format, .size, atByte: 0) }
        let (pixels, isHuge) = facts.width.multipliedReportingOverflow(by: facts.height)
        guard !isHuge, pixels <= limits.pixels else {
            throw .tooManyPixels(width: facts.width, height: facts.height, limit: limits.pixels)
        }
        guard facts.frames <= limits.frames else { throw .tooManyFrames(limit: limits.frames) }
        return facts
    }
}
