import PorticoWire

/// One of many calls of which no two are alike: the same question to Portico and to the Go server.
enum DistinctCall {
    static let route = "bench.v1.Bench/GroupPage"
    /// Numbers from here on have eight digits, and four bytes as protobuf writes them.
    static let firstNumber: UInt32 = 10_000_000
    static let varintBytes = 4

    private static let httpStart = "GET /?page="
    static let httpNumberOffset = httpStart.utf8.count

    /// The request message: field 1 is the page.
    static func message(_ number: UInt32) -> [UInt8] {
        var writer = ProtobufWriter()
        writer.varintField(1, UInt64(number))
        return writer.bytes
    }

    /// With its length prefix, on stream 1; the number stands at the end.
    static func frame(_ number: UInt32) -> [UInt8] {
        var metadata = MetadataWriter()
        metadata.route(route)
        var writer = FrameWriter()
        writer.request(.response, on: 1, metadata: metadata.bytes, data: message(number))
        return writer.bytes
    }

    static func http(_ number: UInt32) -> [UInt8] {
        Array("\(httpStart)\(number) HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".utf8)
    }
}
