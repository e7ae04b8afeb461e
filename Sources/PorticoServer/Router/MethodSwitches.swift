import PorticoConfig
import PorticoEventLoop
import PorticoSchema
import PorticoTranscode
import PorticoWire

/// Methods that a flag switches on and off, client by client: `methods.ROUTE.enabledBy`.
///
/// The flag's default variant counts where its rules fail or it is disabled, so that a kill switch (default on) and a
/// launch flag (default off) each fail to their own side.
struct MethodSwitches: Sendable {
    private let flags: [MethodID: String]
    private let evaluator: FlagEvaluator
    private let routes: [String]
    /// Of composed methods: the parts that are switched.
    private let parts: [MethodID: [MethodID]]

    init(_ configuration: Configuration, _ schema: Schema) {
        evaluator = FlagEvaluator(flags: configuration.flags)
        routes = schema.methods.map(\.route)
        var flags: [MethodID: String] = [:]
        for (index, route) in routes.enumerated() {
            flags[MethodID(index)] = configuration.methods[route]?.enabledBy
        }
        self.flags = flags
        var parts: [MethodID: [MethodID]] = [:]
        for (index, method) in schema.methods.enumerated() {
            guard case .compose(let binding) = method.binding else { continue }
            let switched = binding.parts.map(\.from).filter { flags[$0] != nil }
            if !switched.isEmpty { parts[MethodID(index)] = switched }
        }
        self.parts = parts
    }

    /// Some clients may call it and others not, or some are not given all of its parts.
    func isSwitched(_ method: MethodID) -> Bool { flags[method] != nil || parts[method] != nil }

    /// - Throws: UNIMPLEMENTED, which says "not supported or enabled in this service" (google.rpc.Code).
    func check(_ method: MethodID, for client: Hello) throws(CallError) {
        guard let flag = flags[method] else { return }
        let result = evaluator.evaluate(
            flag, for: FlagContext(client), timestamp: Host.wallClockMilliseconds / 1000)
        guard result?.value != .bool(true) else { return }
        throw CallError(
            .unimplemented, "\(routes[method.index]) is switched off for this client by the flag \(flag)")
    }

    /// The parts of a composed method that this client may not call, and why.
    func refusals(within method: MethodID, for client: Hello) -> [MethodID: CallError] {
        var refusals: [MethodID: CallError] = [:]
        for part in parts[method] ?? [] {
            do { try check(part, for: client) } catch { refusals[part] = error }
        }
        return refusals
    }
}

extension FlagContext {
    init(_ client: Hello) {
        self.init(
            clientID: client.clientID, appVersion: client.appVersion, platform: client.platform,
            locale: client.locale)
    }
}
