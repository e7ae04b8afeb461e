internal import PorticoConfig

/// Brings one picture from its upstream and looks at it: what is not a whole picture within the environment's limits is
/// an error.
struct ImageDownload: Sendable {
    let settings: Configuration.Images
    let clock: any UpstreamClock
    let savings: ImageSavings

    /// - Parameter old: the picture that is kept; when the upstream says that it still holds, it is given back with the
    ///   time of now.
    func image(
        _ source: ImageCache.Source, replacing old: StoredImage?,
        _ deadline: @Sendable () -> ContinuousClock.Instant
    ) async throws(UpstreamError) -> StoredImage {
        let name = source.client.name
        var request = UpstreamClient.Request(
            path: source.path, query: source.query, accept: accepted, bodyLimitBytes: settings.maxImageBytes,
            validators: old?.validators ?? Validators())
        request.resumption = Resumption { [savings] in savings.add($0, by: .resuming) }
        let response = try await source.client.send(request, deadline: deadline) {
            response throws(UpstreamError) in
            // A part that nobody asked for is no picture, however whole it may look.
            guard !(200..<300).contains(response.status) || response.status == 206 else { return }
            throw .refused(
                upstream: name, status: response.status, text: nil,
                retryAfter: source.client.retryAfter(of: response))
        }
        if var old, response.status == 304 {
            old.fetchedAt = clock.secondsSince1970
            return old
        }
        do {
            let facts = try ImageInspector.inspect(response.body.span, within: ImageLimits(settings))
            return StoredImage(
                data: response.body, contentType: facts.format.rawValue, fetchedAt: clock.secondsSince1970,
                validators: Validators(response))
        } catch {
            throw .unreadable(upstream: name, offset: error.offset, reason: error.sentence)
        }
    }

    /// Servers that choose a format by `Accept` must not choose one that is refused.
    private var accepted: String {
        let always = "image/avif,image/webp,image/heic,image/png,image/jpeg,image/gif"
        return settings.allowSVG ? "\(always),image/svg+xml" : always
    }
}

extension ImageLimits {
    init(_ settings: Configuration.Images) {
        self.init(pixels: settings.maxPixels, frames: settings.maxFrames, allowsSVG: settings.allowSVG)
    }
}
