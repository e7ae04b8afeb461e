/// Carries an object that belongs to a loop through other threads, which cannot look at it.
// SAFETY: `content` is made and read only where a Reactor of `loop` is at hand, which is the loop's own thread; `value(on:)`
// checks it. What is left at the end is let go of by the last owner, when the loop has ended.
package final class LoopBound<Value>: @unchecked Sendable {
    private let loop: EventLoop
    /// Let go of once it has been used: it may hold what the object itself lets go of later.
    private var make: (@Sendable () -> Value)?
    private var content: Value?

    package init(to loop: EventLoop, _ make: @escaping @Sendable () -> Value) {
        self.loop = loop
        self.make = make
    }

    package func value(on reactor: Reactor) -> Value {
        precondition(reactor.loop === loop, "an object of another loop: a bug in the caller")
        if let content { return content }
        guard let made = make?() else { preconditionFailure("used up: a bug in this class") }
        make = nil
        content = made
        return made
    }
}
