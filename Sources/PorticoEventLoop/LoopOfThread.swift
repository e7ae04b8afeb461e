import Glibc

/// Which loop a thread belongs to, in a slot of the thread itself: asking takes no lock.
struct LoopOfThread: Sendable {
    private let slot: pthread_key_t

    init() {
        var slot = pthread_key_t()
        let code = unsafe pthread_key_create(&slot, nil)
        precondition(code == 0, "a process has a thousand slots, and this program takes one: a bug in it")
        self.slot = slot
    }

    var loop: EventLoop? {
        guard let place = unsafe pthread_getspecific(slot) else { return nil }
        return unsafe Unmanaged<EventLoop>.fromOpaque(place).takeUnretainedValue()
    }

    /// - Parameter loop: kept alive by whoever runs it on this thread, until nil is set.
    func set(_ loop: EventLoop?) {
        _ = unsafe pthread_setspecific(
            slot, loop.map { unsafe UnsafeRawPointer(Unmanaged.passUnretained($0).toOpaque()) })
    }
}
