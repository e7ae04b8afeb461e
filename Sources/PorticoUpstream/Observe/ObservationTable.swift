/// Who observes what, when it is asked for anew, and who is told. Upstreams, clock, dice and listeners stay outside.
///
/// All who observe equal requests share one subject, and with it one call of the upstream for each refresh. A subject ends
/// with its last observer.
///
///     join → first: ask      answered "a" → tell, pause      pauseEnded → ask      answered "a" → nobody, pause
package struct ObservationTable<Key: Hashable & Sendable>: Sendable {
    package struct SubjectID: Hashable, Sendable { fileprivate let number: Int }
    package struct ObserverID: Hashable, Sendable { fileprivate let number: Int }
    /// Tells a pause that has ended from one that was cut short.
    package struct PauseID: Hashable, Sendable { fileprivate let number: Int }
    /// Of an answer's content: equal for equal content.
    package typealias Digest = [UInt8]

    package struct Joined: Equatable, Sendable {
        package let observer: ObserverID
        package let subject: SubjectID
        /// The caller asks for the answer.
        package let isFirst: Bool
    }

    package enum News: Equatable, Sendable {
        case nothing
        /// Another answer than the one before, or the first.
        case changed
        /// The same answer, but it has become stale, or is fresh again.
        case aged
        /// There is no answer, and never was one: the subject is over.
        case over
    }

    package enum Next: Equatable, Sendable {
        /// At once: what has come may be from before an invalidation.
        case ask
        case pause(PauseID, until: ContinuousClock.Instant)
        case end
    }

    package struct Step: Equatable, Sendable {
        package let news: News
        /// Empty when there is no news.
        package let told: Set<ObserverID>
        package let next: Next
    }

    private enum Phase: Sendable {
        /// - isOutdated: made void since it was begun.
        case asking(isOutdated: Bool)
        case pausing(PauseID)
    }

    private struct Subject: Sendable {
        let key: Key
        var observers: Set<ObserverID>
        var phase = Phase.asking(isOutdated: false)
        /// Of the answer told last; nil: none has come yet.
        var digest: Digest?
        var isStale = false
    }

    private var byKey: [Key: SubjectID] = [:]
    private var subjects: [SubjectID: Subject] = [:]
    private var subjectOf: [ObserverID: SubjectID] = [:]
    private var numbers = 0

    package init() {}

    package var subjectCount: Int { subjects.count }
    /// Those that wait for their next refresh.
    package var pausingCount: Int {
        subjects.values.count {
            switch $0.phase {
            case .asking: false
            case .pausing: true
            }
        }
    }
    package var observerCount: Int { subjectOf.count }

    package func isObserved(_ key: Key) -> Bool { byKey[key] != nil }

    package mutating func join(_ key: Key) -> Joined {
        let observer = ObserverID(number: nextNumber())
        let known = byKey[key]
        let subject = known ?? SubjectID(number: nextNumber())
        if known == nil {
            byKey[key] = subject
            subjects[subject] = Subject(key: key, observers: [])
        }
        subjects[subject]?.observers.insert(observer)
        subjectOf[observer] = subject
        return Joined(observer: observer, subject: subject, isFirst: known == nil)
    }

    /// - Returns: the subject that is over, because nobody is left; what is under way for it is cancelled.
    package mutating func leave(_ observer: ObserverID) -> SubjectID? {
        guard let id = subjectOf.removeValue(forKey: observer), var subject = subjects[id] else { return nil }
        subject.observers.remove(observer)
        subjects[id] = subject
        guard subject.observers.isEmpty else { return nil }
        remove(id)
        return id
    }

    /// - Parameters:
    ///   - isStale: the upstream could not be asked; it is the answer from before.
    ///   - next: when to ask again.
    /// - Returns: nil: nobody observes it any more.
    package mutating func answered(
        _ id: SubjectID, _ digest: Digest, isStale: Bool, next: ContinuousClock.Instant
    ) -> Step? {
        guard var subject = subjects[id] else { return nil }
        let news: News =
            subject.digest != digest ? .changed : subject.isStale != isStale ? .aged : .nothing
        subject.digest = digest
        subject.isStale = isStale
        return pause(id, &subject, news, until: next, asksAgain: true)
    }

    /// There was nothing to give, not even a stale answer.
    /// - Parameter next: when to try again, if there was an answer before.
    package mutating func failed(_ id: SubjectID, next: ContinuousClock.Instant) -> Step? {
        guard var subject = subjects[id] else { return nil }
        guard subject.digest != nil else {
            remove(id)
            for observer in subject.observers { subjectOf[observer] = nil }
            return Step(news: .over, told: subject.observers, next: .end)
        }
        let news: News = subject.isStale ? .nothing : .aged
        subject.isStale = true
        return pause(id, &subject, news, until: next, asksAgain: false)
    }

    private mutating func pause(
        _ id: SubjectID, _ subject: inout Subject, _ news: News, until next: ContinuousClock.Instant,
        asksAgain: Bool
    ) -> Step {
        let told = news == .nothing ? [] : subject.observers
        if case .asking(isOutdated: true) = subject.phase, asksAgain {
            subject.phase = .asking(isOutdated: false)
            subjects[id] = subject
            return Step(news: news, told: told, next: .ask)
        }
        let pause = PauseID(number: nextNumber())
        subject.phase = .pausing(pause)
        subjects[id] = subject
        return Step(news: news, told: told, next: .pause(pause, until: next))
    }

    /// - Returns: whether to ask; false: the pause was cut short, or the subject is over.
    package mutating func pauseEnded(_ id: SubjectID, _ pause: PauseID) -> Bool {
        guard case .pausing(let current)? = subjects[id]?.phase, current == pause else { return false }
        subjects[id]?.phase = .asking(isOutdated: false)
        return true
    }

    /// - Returns: the subjects to ask for at once; their pauses are over. Those being asked for are asked for again.
    package mutating func invalidated(where isVoid: (Key) -> Bool) -> [SubjectID] {
        var due: [SubjectID] = []
        for (id, subject) in subjects where isVoid(subject.key) {
            switch subject.phase {
            case .asking: subjects[id]?.phase = .asking(isOutdated: true)
            case .pausing:
                subjects[id]?.phase = .asking(isOutdated: false)
                due.append(id)
            }
        }
        return due
    }

    private mutating func remove(_ id: SubjectID) {
        guard let subject = subjects.removeValue(forKey: id) else { return }
        byKey[subject.key] = nil
    }

    private mutating func nextNumber() -> Int {
        numbers += 1
        return numbers
    }
}
