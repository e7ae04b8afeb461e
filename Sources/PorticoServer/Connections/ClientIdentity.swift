import PorticoWire

/// What a client's SETUP said about it. Before that: nobody, without a token.
struct ClientIdentity: Sendable {
    private(set) var hello = Hello()
    private(set) var isAuthenticated = false

    init() {}

    init(_ setup: SetupFrame, in frame: Span<UInt8>, authenticator: Authenticator) throws(SetupRefusal) {
        isAuthenticated = try Self.isAuthenticated(setup, in: frame, authenticator)
        do {
            hello = try Hello(setup.payload.data, in: frame)
        } catch  where MetadataMIME(name: frame.extracting(setup.dataMIME)) == .protobuf {
            throw SetupRefusal(.invalidSetup, CallError(error, in: "the SETUP's Hello"))
        } catch {
            // It never said that its data is a Hello: a client without a name.
            hello = Hello()
        }
    }

    /// A wrong token is refused at once; without one each call may bring its own.
    private static func isAuthenticated(
        _ setup: SetupFrame, in frame: Span<UInt8>, _ authenticator: Authenticator
    ) throws(SetupRefusal) -> Bool {
        guard let metadata = setup.payload.metadata else { return authenticator.letsEverybodyIn }
        let parts: RequestMetadata
        do { parts = try RequestMetadata(metadata, in: frame) } catch {
            throw SetupRefusal(.invalidSetup, CallError(error))
        }
        switch parts.credentials {
        case nil: return authenticator.letsEverybodyIn
        case .bearer(let range):
            guard authenticator.accepts(frame.extracting(range)) else {
                throw SetupRefusal(.rejectedSetup, .unauthenticated)
            }
            return true
        case .simple, .unknown:
            guard authenticator.letsEverybodyIn else {
                throw SetupRefusal(.rejectedSetup, .unauthenticated)
            }
            return true
        }
    }
}

/// Why a SETUP that is well-formed is turned away.
struct SetupRefusal: Error, Equatable {
    let code: ErrorCode
    let text: String

    init(_ code: ErrorCode, _ error: CallError) {
        self.code = code
        text = error.text
    }
}
