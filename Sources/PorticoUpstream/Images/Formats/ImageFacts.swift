/// What a picture's own bytes say about it.
package struct ImageFacts: Equatable, Sendable {
    package var format: ImageFormat
    /// Pixels; of an animation the canvas, or a frame that is larger.
    package var width: Int
    package var height: Int
    /// Pictures that are shown one after the other; 1: it does not move.
    package var frames: Int

    package init(format: ImageFormat, width: Int, height: Int, frames: Int = 1) {
        self.format = format
        self.width = width
        self.height = height
        self.frames = frames
    }

    /// As wide and as high as the larger of both.
    func enlarged(to other: ImageFacts) -> ImageFacts {
        var facts = self
        facts.width = max(width, other.width)
        facts.height = max(height, other.height)
        return facts
    }
}

/// How large a picture may be that phones are asked to decode, and whether one that is a document may be passed on.
package struct ImageLimits: Equatable, Sendable {
    /// Width times height.
    package var pixels: Int
    package var frames: Int
    /// SVG is XML that a web view would run; it is passed on only where the environment says so.
    package var allowsSVG: Bool

    package init(pixels: Int, frames: Int, allowsSVG: Bool) {
        self.pixels = pixels
        self.frames = frames
        self.allowsSVG = allowsSVG
    }
}

/// Why bytes are not a picture that is passed on. Offsets count from the first byte.
package enum ImageFault: Error, Equatable, Sendable {
    /// The first bytes are those of no format that is known.
    case unknownFormat
    /// SVG, where it is not allowed.
    case notAllowed(ImageFormat)
    /// The bytes end where more must follow.
    case cutShort(ImageFormat, atByte: Int)
    /// The bytes there cannot stand there.
    case broken(ImageFormat, Part, atByte: Int)
    case tooManyPixels(width: Int, height: Int, limit: Int)
    case tooManyFrames(limit: Int)

    /// What is wrong in a ``broken(_:_:atByte:)`` picture.
    package enum Part: String, Equatable, Sendable {
        case header
        case checksum
        case order = "order of parts"
        case length
        case size
        /// It is nested deeper than pictures are.
        case nesting
        case marker
        case markup
        /// Scripts, event attributes, references to other places.
        case activeContent = "active content"
    }

    package var sentence: String {
        switch self {
        case .unknownFormat: "not a picture of a known format"
        case .notAllowed(let format): "\(format.rawValue) is not allowed here"
        case .cutShort(let format, _): "the \(format.rawValue) is cut short"
        case .broken(let format, let part, _): "the \(format.rawValue) is broken (\(part.rawValue))"
        case .tooManyPixels(let width, let height, let limit):
            "\(width) × \(height) pixels are more than the \(limit) that are allowed"
        case .tooManyFrames(let limit): "it has more frames than the \(limit) that are allowed"
        }
    }

    /// Where it was found; 0 when it is about the whole.
    package var offset: Int {
        switch self {
        case .cutShort(_, let offset), .broken(_, _, let offset): offset
        case .unknownFormat, .notAllowed, .tooManyPixels, .tooManyFrames: 0
        }
    }
}
