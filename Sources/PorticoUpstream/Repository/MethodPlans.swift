package import PorticoEventLoop
internal import PorticoConfig
internal import PorticoSchema
package import PorticoTranscode

/// Why a repository cannot be built from a schema and an environment. ``MethodDescriptor/location`` says where to look.
package enum SetupFault: Error, Equatable, Sendable {
    /// A schema names an upstream that the environment has not.
    case unknownUpstream(String, route: String)
    case badBaseURL(upstream: String)
    case unsuitableView(route: String, TranscodeError)
    /// The kernel has no thread or descriptor for the HTTP client.
    case system(SystemError)
}

/// A method that is one HTTP call, with everything that is known before a request comes.
///
/// An object, as the other plans of calls: every step of a call holds its plan, and copying forty references each time
/// was a tenth of an uncached call.
final class UpstreamPlan: Sendable {
    let id: MethodID
    /// What its answers are kept under, ``KeptMethods``.
    let keptAs: MethodID
    let method: MethodDescriptor
    let binding: UpstreamBinding
    let client: UpstreamClient
    let judge: AnswerJudge
    let target: TargetBuilder
    let decoder: RecordDecoder
    let body: BodyPlan?
    let freshness: Freshness
    let paging: PagingPlan?
    let place: AnswerDisk.Place

    init(
        id: MethodID, keptAs: MethodID, method: MethodDescriptor, binding: UpstreamBinding,
        client: UpstreamClient, decoder: RecordDecoder, body: BodyPlan?,
        freshness: Freshness, paging: PagingPlan?, place: AnswerDisk.Place
    ) {
        self.id = id
        self.keptAs = keptAs
        self.method = method
        self.binding = binding
        self.client = client
        judge = AnswerJudge(client, binding.envelope)
        target = TargetBuilder(binding.path)
        self.decoder = decoder
        self.body = body
        self.freshness = freshness
        self.paging = paging
        self.place = place
    }

    /// Answers of other methods are neither kept nor shared.
    var isRead: Bool { binding.method.isRead }
}

/// What of a request is sent as JSON.
struct BodyPlan: Sendable {
    let field: String
    let encoder: BodyEncoder
}

struct PagingPlan: Sendable {
    let field: PageField
    let reader: PageReader
    let prefetches: Bool
    let allowsPartial: Bool
}

/// A method that is derived from the answers of another.
final class ViewMethodPlan: Sendable {
    let id: MethodID
    let keptAs: MethodID
    let method: MethodDescriptor
    /// Nil: the source's answer is the view's.
    let view: ViewPlan?
    let joins: [JoinMethodPlan]
    let source: UpstreamPlan
    let bridge: RequestBridge
    let followsPages: Bool
    let freshness: Freshness

    /// Whatever its answers are derived from.
    let sources: [UpstreamPlan]

    init(
        id: MethodID, keptAs: MethodID, method: MethodDescriptor, view: ViewPlan?, joins: [JoinMethodPlan],
        source: UpstreamPlan, bridge: RequestBridge, followsPages: Bool, freshness: Freshness
    ) {
        self.id = id
        self.keptAs = keptAs
        self.method = method
        self.view = view
        self.joins = joins
        self.source = source
        self.bridge = bridge
        self.followsPages = followsPages
        self.freshness = freshness
        sources = [source] + joins.map(\.source)
    }

    func isDerived(from other: UpstreamPlan) -> Bool { sources.contains { $0.keptAs == other.keptAs } }
}

/// A method that gives a picture.
struct ImagePlan: Sendable {
    let id: MethodID
    enum Location: Sendable {
        case path(TargetBuilder)
        case urlInRequest(field: String)
        case urlInAnswer(field: String, of: UpstreamPlan, RequestBridge)
    }
    let method: MethodDescriptor
    let client: UpstreamClient
    let location: Location
    /// Whether the request has a field ``etagField``.
    let takesEtag: Bool

    /// By convention (Schemas/README.md), in the request of any image method: the etag of the picture that the client has.
    static let etagField = "etag"
}

enum MethodPlan: Sendable {
    case upstream(UpstreamPlan)
    case view(ViewMethodPlan)
    indirect case image(ImagePlan)
    indirect case compose(ComposePlan)
    /// Not the repository's business.
    case none

    /// Whether its answers are those of `source`, derived from them or put together with them.
    ///
    /// - Parameter plans: of all methods.
    func isFed(by source: UpstreamPlan, among plans: [MethodPlan]) -> Bool {
        switch self {
        case .upstream(let plan): plan.keptAs == source.keptAs
        case .view(let plan): plan.isDerived(from: source)
        case .compose(let plan):
            plan.parts.contains { plans[$0.method.index].isFed(by: source, among: plans) }
        case .image, .none: false
        }
    }

    /// Nothing is kept under the number of ``KeptMethods/nothing``.
    var keptAs: MethodID {
        switch self {
        case .upstream(let plan): plan.keptAs
        case .view(let plan): plan.keptAs
        case .image, .compose, .none: KeptMethods.nothing
        }
    }
}

/// Plans every method of a schema.
struct MethodPlanner {
    private let schema: Schema
    private let configuration: Configuration
    private let clients: [String: UpstreamClient]
    /// Of the schemas.
    private let fingerprint: String
    private let store: AnswerStore

    /// - Parameter clients: by upstream name.
    init(
        _ schema: Schema, _ configuration: Configuration, _ clients: [String: UpstreamClient],
        _ store: AnswerStore
    ) {
        self.schema = schema
        self.configuration = configuration
        self.clients = clients
        self.store = store
        fingerprint = SHA256.name(schema.fileDescriptorSet)
    }

    func plan(_ id: MethodID) throws(SetupFault) -> MethodPlan {
        switch schema[id].binding {
        case .upstream(let binding): .upstream(try upstream(id, binding))
        case .view(let binding): try view(id, binding)
        case .image(let binding): .image(try image(id, binding))
        case .compose(let binding): .compose(ComposePlan(binding, of: id, in: schema))
        case .builtIn: .none
        }
    }

    private func client(_ name: String, for method: MethodDescriptor) throws(SetupFault) -> UpstreamClient {
        guard let client = clients[name] else { throw .unknownUpstream(name, route: method.route) }
        return client
    }

    private func upstream(_ id: MethodID, _ binding: UpstreamBinding) throws(SetupFault) -> UpstreamPlan {
        let method = schema[id]
        let client = try client(binding.base, for: method)
        let mode = configuration.decode.methods[method.route] ?? configuration.decode.mode
        let options = DecodeOptions(
            mode: mode == .strict ? .strict : .lossy, maximumDepth: configuration.decode.maximumDepth)
        let place = AnswerDisk.Place(
            route: method.route, baseURL: configuration.upstreams[binding.base]?.baseURL ?? "",
            mode: mode.rawValue, fingerprint: fingerprint)
        let identity = "\(place.method) \(configuration.decode.maximumDepth) \(client.identity)"
        return UpstreamPlan(
            id: id, keptAs: store.number(for: identity), method: method, binding: binding, client: client,
            decoder: RecordDecoder(
                schema: schema, message: method.output, tapping: TappedFields(schema: schema, source: id),
                options: options),
            body: binding.body.flatMap { body($0, of: method) },
            freshness: Freshness(configuration.cache, routes: [method.route]),
            paging: binding.paging.flatMap { paging(method, $0) },
            place: place)
    }

    private func body(_ name: String, of method: MethodDescriptor) -> BodyPlan? {
        guard case .message(let message)? = schema[method.input].field(named: name)?.type else { return nil }
        return BodyPlan(field: name, encoder: BodyEncoder(schema: schema, message: message))
    }

    private func paging(_ method: MethodDescriptor, _ binding: PagingBinding) -> PagingPlan? {
        PageField(binding.page, in: schema[method.input]).map { field in
            PagingPlan(
                field: field, reader: PageReader(binding, in: schema[method.output]),
                prefetches: binding.prefetches, allowsPartial: binding.allowsPartial)
        }
    }

    private func view(_ id: MethodID, _ binding: ViewBinding) throws(SetupFault) -> MethodPlan {
        let method = schema[id]
        guard case .upstream(let sourceBinding) = schema[binding.from].binding else {
            throw .unsuitableView(
                route: method.route, .unsuitableView("its source is not bound to an upstream"))
        }
        let source = try upstream(binding.from, sourceBinding)
        let view: ViewPlan?
        do {
            view = try binding.isWhole ? nil : ViewPlan(schema: schema, method: id)
        } catch {
            throw .unsuitableView(route: method.route, error)
        }
        // The view's own page is not its source's.
        var without = Set([binding.page?.number, binding.page?.size].compactMap { $0 })
        if binding.allPages, let page = sourceBinding.paging?.page { without.insert(page) }
        let bridge = RequestBridge(
            from: schema[method.input], to: schema[source.method.input], without: without)
        return .view(
            ViewMethodPlan(
                id: id, keptAs: store.number(for: "\(method.route) of \(source.keptAs.index)"),
                method: method, view: view, joins: try joins(binding, source.method), source: source,
                bridge: bridge,
                followsPages: binding.allPages && source.paging != nil,
                freshness: Freshness(configuration.cache, routes: [method.route, source.method.route])))
    }

    private func joins(
        _ binding: ViewBinding, _ source: MethodDescriptor
    ) throws(SetupFault) -> [JoinMethodPlan] {
        try binding.joins.map { join throws(SetupFault) in
            guard case .upstream(let other) = schema[join.from].binding else {
                preconditionFailure("a join reads from an upstream: the binder checks it")
            }
            return JoinMethodPlan(
                join: JoinPlan(join, source: source.output, in: schema),
                source: try upstream(join.from, other))
        }
    }

    private func image(_ id: MethodID, _ binding: ImageBinding) throws(SetupFault) -> ImagePlan {
        let method = schema[id]
        return ImagePlan(
            id: id, method: method, client: try client(binding.base, for: method),
            location: try location(method, binding),
            takesEtag: schema[method.input].field(named: ImagePlan.etagField) != nil)
    }

    private func location(
        _ method: MethodDescriptor, _ binding: ImageBinding
    ) throws(SetupFault) -> ImagePlan.Location {
        switch binding.source {
        case .path(let template): return .path(TargetBuilder(template, slashes: .keptInTrailingField))
        case .url(let field):
            guard let from = binding.from, case .upstream(let sourceBinding) = schema[from].binding else {
                return .urlInRequest(field: field)
            }
            let source = try upstream(from, sourceBinding)
            let bridge = RequestBridge(from: schema[method.input], to: schema[source.method.input])
            return .urlInAnswer(field: field, of: source, bridge)
        }
    }
}
