/// What a file is, by the end of its name.
struct ContentType: Equatable {
    let name: String

    init(path: String) {
        let end = path.split(separator: ".").last?.lowercased() ?? ""
        name = Self.names[end] ?? "application/octet-stream"
    }

    var isJSON: Bool { name == "application/json" }
    /// Whether `{{origin}}` is looked for in it.
    var isText: Bool { isJSON || name.hasPrefix("text/") }

    private static let names = [
        "json": "application/json", "txt": "text/plain; charset=utf-8", "html": "text/html; charset=utf-8",
        "xml": "text/xml", "csv": "text/csv", "png": "image/png", "jpg": "image/jpeg", "jpeg": "image/jpeg",
        "gif": "image/gif", "webp": "image/webp", "avif": "image/avif", "svg": "image/svg+xml",
        "pdf": "application/pdf",
    ]
}
