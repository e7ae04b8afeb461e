import PorticoWire

/// What a client's SETUP said about it. Before that: nobody, without a token.
struct ClientIdentity: Sendable {
    private(set) var hello = Hello()
    /// Nil: nothing, unless a call brings a token of its own.
    private(set) var access: Access?
    /// By the SETUP's token alone.
    private(set) var mayRead = false

    init() {}

    init(_ setup: SetupFrame, in frame: Span<UInt8>, authenticator: Authenticator) throws(SetupRefusal) {
        access = try Self.access(setup, in: frame, authenticator)
        mayRead = access?.mayRead == true
        do {
            hello = try Hello(setup.payload.data, in: frame)
        } catch  where MetadataMIME(name: frame.extracting(setup.dataMIME)) == .protobuf {
            throw SetupRefusal(.invalidSetup, CallError(error, in: "the SETUP's Hello"))
        } catch {
            // It never said that its data is a Hello: a client without a name.
            hello = Hello()
        }
    }

    /// Who asks, as one call says it.
    func hello(in context: CallContext) -> Hello {
        guard let locale = context.locale else { return hello }
        var hello = hello
        hello.locale = locale
        return hello
    }

    /// A wrong token is refused at once; without one each call may bring its own.
    private static func access(
        _ setup: SetupFrame, in frame: Span<UInt8>, _ authenticator: Authenticator
    ) throws(SetupRefusal) -> Access? {
        guard let metadata = setup.payload.metadata else { return authenticator.accessWithoutToken }
        let parts: RequestMetadata
        do { parts = try RequestMetadata(metadata, in: frame) } catch {
            throw SetupRefusal(.invalidSetup, CallError(error))
        }
        let access: Access?
        switch parts.credentials {
        case nil: return authenticator.accessWithoutToken
        case .bearer(let range): access = authenticator.access(of: frame.extracting(range))
        case .simple, .unknown: access = authenticator.accessWithoutToken
        }
        guard let access else { throw SetupRefusal(.rejectedSetup, .unauthenticated) }
        return access
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
