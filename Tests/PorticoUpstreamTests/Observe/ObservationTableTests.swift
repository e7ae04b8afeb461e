import PorticoUpstream
import TestSupport
import Testing

@Suite struct ObservationTableTests {
    typealias Table = ObservationTable<String>
    private let start = ContinuousClock.now

    @Test func equalRequestsShareOneSubjectUntilTheLastLeaves() throws {
        var table = Table()
        let one = table.join("a")
        let two = table.join("a")
        let other = table.join("b")
        #expect(one.isFirst && !two.isFirst && other.isFirst && one.subject == two.subject)
        let answered = table.answered(one.subject, [1], isStale: false, next: start)
        let step = try #require(answered)
        #expect(step.news == .changed && step.told == [one.observer, two.observer])
        #expect(table.leave(one.observer) == nil && table.leave(one.observer) == nil)
        #expect(table.leave(two.observer) == one.subject)
        #expect(table.answered(one.subject, [2], isStale: false, next: start) == nil)
        #expect(table.failed(one.subject, next: start) == nil)
        let again = table.join("a")
        #expect(again.isFirst && table.subjectCount == 2)
    }

    @Test func equalContentIsNoNews() throws {
        var table = Table()
        let joined = table.join("a")
        var told: [Table.News] = []
        for (digest, isStale) in [
            ([1], false), ([1], false), ([2], false), ([2], true), ([2], true), ([2], false), ([1], true),
        ] as [([UInt8], Bool)] {
            let answered = table.answered(joined.subject, digest, isStale: isStale, next: start)
            let step = try #require(answered)
            told.append(step.news)
            #expect(step.told.isEmpty == (step.news == .nothing))
            guard case .pause(let pause, until: start) = step.next else {
                Issue.record("no pause")
                return
            }
            #expect(table.pauseEnded(joined.subject, pause) == true)
        }
        #expect(told == [.changed, .nothing, .changed, .aged, .nothing, .aged, .changed])
    }

    @Test func aFirstFailureIsTheEndAndALaterOneMakesTheAnswerStale() throws {
        var table = Table()
        let first = table.join("a")
        let failed = table.failed(first.subject, next: start)
        let end = try #require(failed)
        #expect(end.news == .over && end.told == [first.observer] && end.next == .end)
        #expect(table.subjectCount == 0 && table.observerCount == 0 && table.leave(first.observer) == nil)
        let second = table.join("a")
        _ = table.answered(second.subject, [1], isStale: false, next: start)
        #expect(table.failed(second.subject, next: start)?.news == .aged)
        #expect(table.failed(second.subject, next: start)?.news == .nothing)
    }

    @Test func whatIsMadeVoidIsAskedForAtOnce() throws {
        var table = Table()
        let joined = table.join("a")
        #expect(table.invalidated { $0 == "a" } == [])
        let answered = table.answered(joined.subject, [1], isStale: false, next: start)
        let step = try #require(answered)
        #expect(step.news == .changed && step.next == .ask)
        let answeredAgain = table.answered(joined.subject, [1], isStale: false, next: start)
        let later = try #require(answeredAgain)
        guard case .pause(let pause, _) = later.next else {
            Issue.record("no pause")
            return
        }
        #expect(table.invalidated { $0 == "b" } == [])
        #expect(table.invalidated { $0 == "a" } == [joined.subject])
        #expect(table.pauseEnded(joined.subject, pause) == false)
    }

    @Test func itAgreesWithANaiveModelOverRandomScripts() throws {
        var dice = SeededGenerator(seed: 23)
        var table = Table()
        struct Model {
            var observers: Set<Table.ObserverID> = []
            var digest: [UInt8]?
            var isStale = false
            var pause: Table.PauseID?
            var isOutdated = false
        }
        var model: [Table.SubjectID: Model] = [:]
        var keys: [String: Table.SubjectID] = [:]
        for _ in 0..<20_000 {
            let key = "\(Int.random(in: 0..<5, using: &dice))"
            let subject = keys[key]
            switch Int.random(in: 0..<6, using: &dice) {
            case 0:
                let joined = table.join(key)
                #expect(joined.isFirst == (subject == nil) && (subject ?? joined.subject) == joined.subject)
                keys[key] = joined.subject
                model[joined.subject, default: Model()].observers.insert(joined.observer)
            case 1:
                guard let subject, let observer = model[subject]?.observers.first else { continue }
                model[subject]?.observers.remove(observer)
                let isLast = model[subject]?.observers.isEmpty == true
                #expect(table.leave(observer) == (isLast ? subject : nil))
                if isLast {
                    model[subject] = nil
                    keys[key] = nil
                }
            case 2, 3:
                guard let subject, var known = model[subject], known.pause == nil else { continue }
                let digest = [UInt8.random(in: 0..<2, using: &dice)]
                let isStale = Bool.random(using: &dice)
                let answered = table.answered(subject, digest, isStale: isStale, next: start)
                let step = try #require(answered)
                let isNews = known.digest != digest || known.isStale != isStale
                #expect(step.told == (isNews ? known.observers : []))
                #expect((step.next == .ask) == known.isOutdated)
                if case .pause(let pause, _) = step.next { known.pause = pause }
                (known.digest, known.isStale, known.isOutdated) = (digest, isStale, false)
                model[subject] = known
            case 4:
                guard let subject, let pause = model[subject]?.pause else { continue }
                #expect(table.pauseEnded(subject, pause) == true)
                model[subject]?.pause = nil
            default:
                let due = table.invalidated { $0 == key }
                #expect(due == (subject.flatMap { model[$0]?.pause == nil ? nil : [$0] } ?? []))
                guard let subject else { continue }
                if due.isEmpty { model[subject]?.isOutdated = true }
                model[subject]?.pause = nil
            }
            #expect(table.observerCount == model.values.reduce(0) { $0 + $1.observers.count })
        }
    }
}
