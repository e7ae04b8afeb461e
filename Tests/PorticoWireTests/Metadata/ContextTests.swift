import Testing

import PorticoWire

@Test func aCallContextComesBackAsItWasWritten() throws {
    var context = CallContext()
    context.timeoutMilliseconds = 1500
    context.idempotencyKey = "k1"
    context.acceptEncodings = ["gzip", "deflate"]
    context.locale = "de"
    context.traceParent = "00-4bf92f-00f067-01"
    context.wantsResponseContext = true
    context.resumeCursor = [1, 2]
    let encoded = context.encoded()
    #expect(try CallContext(0..<encoded.count, in: encoded.span) == context)
}

@Test func aResponseContextComesBackAsItWasWritten() throws {
    var context = ResponseContext()
    context.source = .stale
    context.ageMilliseconds = 90_000
    context.skippedItems = 3
    context.encoding = "deflate"
    context.resumeCursor = [9]
    let encoded = context.encoded()
    #expect(try ResponseContext(0..<encoded.count, in: encoded.span) == context)
}

@Test func aHelloAndAGoAwayComeBackAsTheyWereWritten() throws {
    var hello = Hello()
    (hello.clientID, hello.appVersion, hello.platform, hello.locale) = ("c", "1.2", "ios", "en")
    hello.acceptsGoAway = true
    let encodedHello = hello.encoded()
    #expect(try Hello(0..<encodedHello.count, in: encodedHello.span) == hello)
    let goAway = GoAway(reason: "restart", drainMilliseconds: 10_000)
    let encodedGoAway = goAway.encoded()
    #expect(try GoAway(0..<encodedGoAway.count, in: encodedGoAway.span) == goAway)
}

@Test func defaultsAreNotWritten() {
    #expect(CallContext().encoded().isEmpty && ResponseContext().encoded().isEmpty)
    #expect(Hello().encoded().isEmpty && GoAway().encoded().isEmpty)
}

@Test func fieldsOfALaterVersionArePassedOver() throws {
    var writer = ProtobufWriter()
    writer.stringField(100, "new")
    writer.fixed64Field(101, 1)
    writer.varintField(1, 7)
    #expect(try CallContext(0..<writer.bytes.count, in: writer.bytes.span).timeoutMilliseconds == 7)
}

@Test func aFieldOfTheWrongTypeIsAnError() {
    let bytes: [UInt8] = [0x0a, 0x01, 0x00]
    #expect(throws: ProtobufError.unexpectedWireType(field: 1, offset: 1)) {
        try CallContext(0..<3, in: bytes.span)
    }
}
