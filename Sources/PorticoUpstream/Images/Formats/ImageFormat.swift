/// The picture formats that are passed on, told by their bytes and never by what a server calls them.
package enum ImageFormat: String, Sendable, CaseIterable {
    case png = "image/png"
    case jpeg = "image/jpeg"
    case gif = "image/gif"
    case webp = "image/webp"

    /// By the first bytes; nil: none of them.
    package init?(signature bytes: [UInt8]) {
        if bytes.starts(with: PNGStructure.signature) {
            self = .png
        } else if bytes.starts(with: [0xff, 0xd8, 0xff]) {
            self = .jpeg
        } else if bytes.starts(with: Array("GIF87a".utf8)) || bytes.starts(with: Array("GIF89a".utf8)) {
            self = .gif
        } else if bytes.count >= 12, bytes.starts(with: Array("RIFF".utf8)),
            Array(bytes[8..<12]) == Array("WEBP".utf8)
        {
            self = .webp
        } else {
            return nil
        }
    }

    /// Whether the structure holds to its end, so that a body cut short is not taken for a picture. Pixels are not decoded.
    package func isWhole(_ bytes: [UInt8]) -> Bool {
        switch self {
        case .png: PNGStructure.isWhole(bytes)
        case .jpeg: JPEGStructure.isWhole(bytes)
        case .gif: GIFStructure.isWhole(bytes)
        case .webp: WebPStructure.isWhole(bytes)
        }
    }
}
