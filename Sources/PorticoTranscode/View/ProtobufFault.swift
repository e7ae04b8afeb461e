import PorticoWire

extension TranscodeError {
    /// Bytes that are no protobuf message.
    init(_ error: ProtobufError) {
        switch error {
        case .badText(_, let offset): self = .malformedProtobuf(.invalidUTF8, offset: offset)
        case .truncated, .varintTooLong, .badFieldNumber, .badWireType, .badLength, .unexpectedWireType:
            self = .malformedProtobuf(.malformed, offset: error.offset)
        }
    }
}
