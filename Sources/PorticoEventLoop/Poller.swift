import CLinux
import Glibc

/// What a handler wants to hear about its descriptor.
package struct Interest: OptionSet, Sendable {
    package let rawValue: UInt8
    package init(rawValue: UInt8) { self.rawValue = rawValue }
    /// Bytes to read, a connection to accept, or the peer's end of stream.
    package static let read = Interest(rawValue: 1)
    /// Room to write.
    package static let write = Interest(rawValue: 2)

    package init(reading: Bool, writing: Bool) { rawValue = (reading ? 1 : 0) | (writing ? 2 : 0) }
}

/// What happened to a descriptor. ``broken`` comes without being asked for.
package struct Readiness: OptionSet, Sendable {
    package let rawValue: UInt8
    package init(rawValue: UInt8) { self.rawValue = rawValue }
    package static let readable = Readiness(rawValue: 1)
    package static let writable = Readiness(rawValue: 2)
    /// Both directions are shut or the socket has an error: the next read or write says which.
    package static let broken = Readiness(rawValue: 4)

    // Nobody specialises a set's operations across modules: `contains` costs three calls through a witness table.
    package var isReadable: Bool { rawValue & Self.readable.rawValue != 0 }
    package var isWritable: Bool { rawValue & Self.writable.rawValue != 0 }
    package var isBroken: Bool { rawValue & Self.broken.rawValue != 0 }
}

/// One epoll instance and the buffer its events arrive in.
///
/// Level-triggered: what a handler leaves unread is reported again on the next turn. That gives fairness (read one
/// buffer, let the others have theirs) and back-pressure (drop the interest, the kernel's buffer fills, the peer
/// waits) without a list of half-read sockets in user space. It costs one `epoll_ctl` each time a write falls
/// short or reading pauses, and none for a connection that keeps up.
@safe struct Poller: ~Copyable {
    /// Events taken from the kernel at once; more only makes the first handler's bytes older.
    private static let batchSize = 256

    private let epoll: Descriptor
    private let events: UnsafeMutableBufferPointer<epoll_event>

    init() throws(SystemError) {
        epoll = Descriptor(owning: try system("epoll_create1") { epoll_create1(Int32(EPOLL_CLOEXEC)) })
        unsafe events = .allocate(capacity: Self.batchSize)
        unsafe events.initialize(repeating: epoll_event())
    }

    deinit { unsafe events.deallocate() }

    /// - Parameter key: comes back with each event of this descriptor.
    func add(_ descriptor: Int32, _ interest: Interest, key: UInt64) throws(SystemError) {
        try control(EPOLL_CTL_ADD, descriptor, Self.flags(of: interest), key: key)
    }

    /// Edge-triggered and for reading: each new write to an eventfd is one event, and nobody has to read it.
    func addWakeUp(_ descriptor: Int32, key: UInt64) throws(SystemError) {
        try control(EPOLL_CTL_ADD, descriptor, EPOLLIN.rawValue | EPOLLET.rawValue, key: key)
    }

    func modify(_ descriptor: Int32, _ interest: Interest, key: UInt64) throws(SystemError) {
        try control(EPOLL_CTL_MOD, descriptor, Self.flags(of: interest), key: key)
    }

    func remove(_ descriptor: Int32) throws(SystemError) {
        try control(EPOLL_CTL_DEL, descriptor, 0, key: 0)
    }

    /// Waits for events. Interrupted by a signal it reports none.
    ///
    /// - Parameter timeout: nil waits for ever, zero does not wait; rounded up to whole milliseconds, so that a
    ///   timer is never early and a nearly expired one does not spin.
    /// - Returns: how many events ``event(at:)`` now holds.
    func wait(timeout: Duration?) -> Int {
        let count = unsafe epoll_wait(
            epoll.number, events.baseAddress, Int32(Self.batchSize), Self.milliseconds(timeout))
        if count >= 0 { return Int(count) }
        precondition(
            errno == EINTR, "epoll_wait on a descriptor and buffer of our own fails only by a bug here")
        return 0
    }

    func event(at index: Int) -> (key: UInt64, readiness: Readiness) {
        let flags = unsafe events[index].events
        var readiness: Readiness = []
        if flags & EPOLLIN.rawValue != 0 { readiness.insert(.readable) }
        if flags & EPOLLOUT.rawValue != 0 { readiness.insert(.writable) }
        if flags & (EPOLLERR.rawValue | EPOLLHUP.rawValue) != 0 { readiness.insert(.broken) }
        return (unsafe events[index].data.u64, readiness)
    }

    private func control(
        _ operation: Int32, _ descriptor: Int32, _ flags: UInt32, key: UInt64
    ) throws(SystemError) {
        var event = unsafe epoll_event(events: flags, data: epoll_data_t(u64: key))
        try system("epoll_ctl") { unsafe epoll_ctl(epoll.number, operation, descriptor, &event) }
    }

    private static func flags(of interest: Interest) -> UInt32 {
        (interest.contains(.read) ? EPOLLIN.rawValue : 0)
            | (interest.contains(.write) ? EPOLLOUT.rawValue : 0)
    }

    static func milliseconds(_ timeout: Duration?) -> Int32 {
        guard let timeout else { return -1 }
        guard timeout > .zero else { return 0 }
        let (seconds, attoseconds) = timeout.components
        guard seconds < 1_000_000 else { return 1_000_000_000 }
        let attosecondsPerMillisecond: Int64 = 1_000_000_000_000_000
        let roundedUp = (attoseconds + attosecondsPerMillisecond - 1) / attosecondsPerMillisecond
        return Int32(seconds * 1000 + roundedUp)
    }
}
