internal import PorticoSchema
internal import PorticoTranscode
internal import PorticoWire

/// Makes writes: looks at the request by the schema's rules, calls the upstream, and makes void what the write changed.
struct Writer: Sendable {
    /// Of an idempotency key, which becomes a header field.
    private static let longestKey = 255

    let fetcher: UpstreamFetcher
    let writes: Writes
    /// Makes the kept answers of a method void.
    let invalidate: @Sendable (MethodID) -> Void

    /// - Parameter request: in canonical form.
    func answer(
        _ plan: UpstreamPlan, _ request: [UInt8], _ call: Call
    ) async throws(UpstreamError) -> Answer {
        try check(plan, request, call.idempotencyKey)
        let key = call.idempotencyKey.map {
            IdempotencyTable.Key(caller: call.caller, route: plan.method.route, text: $0)
        }
        let written = try await writes.outcome(
            of: key, digest: SHA256.name(request), deadline: call.deadline,
            late: .deadline(upstream: plan.client.name)
        ) {
            await write(plan, request, call)
        }.get()
        return Answer(message: written.message, origin: .miss, skippedItems: written.skippedItems)
    }

    /// It is done once the upstream has answered well, whether or not the answer can be read.
    private func write(_ plan: UpstreamPlan, _ request: [UInt8], _ call: Call) async -> Writes.Outcome {
        do throws(UpstreamError) {
            let response = try await fetcher.exchange(
                plan, request, idempotencyKey: call.idempotencyKey, validators: Validators()
            ) { call.deadline }
            for method in plan.method.invalidates { invalidate(method) }
            guard !response.body.isEmpty else { return .success(.init(message: [], skippedItems: 0)) }
            let decoded = try await fetcher.decode(plan, response)
            return .success(.init(message: decoded.bytes, skippedItems: decoded.skippedItems))
        } catch {
            return .failure(error)
        }
    }

    /// - Throws: ``UpstreamError/badRequest(_:)`` that names every field that is wrong.
    private func check(
        _ plan: UpstreamPlan, _ request: [UInt8], _ idempotencyKey: String?
    ) throws(UpstreamError) {
        var faults = fetcher.rules[plan.id.index].faults(in: request)
        let text = try fetcher.requestText(request, plan.id)
        for field in plan.binding.path.path.fields where text.text(field) == nil {
            let fault = RuleFault(field: field, reason: "is needed")
            if !faults.named.contains(fault) { faults.add(fault) }
        }
        guard faults.isEmpty else { throw .badRequest(faults.sentence) }
        guard let key = idempotencyKey else { return }
        guard (1...Self.longestKey).contains(key.utf8.count), key.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7f })
        else {
            throw .badRequest("an idempotency key has 1 to \(Self.longestKey) visible ASCII characters")
        }
    }
}
