/// Carries an object that belongs to a loop through other threads, which cannot look at it.
package final class LoopBound<Value>: @unchecked Sendable {
    // SAFETY: `content` is made and read only where a Reactor of `loop` is at hand, which is the loop's own thread;
    // `value(on:)` checks it. What is left at the end is let go of by the last owner, when the loop has ended.
    private let loop: EventLoop
    private let make: @Sendable () -> Value
    private var content: Value?

    package init(to loop: EventLoop, _ make: @escaping @Sendable () -> Value) {
        self.loop = loop
        self.make = make
    }

    package func value(on reactor: Reactor) -> Value {
        precondition(reactor.loop === loop, "an object of another loop: a bug in the caller")
        if let content { return content }
        let made = make()
        content = made
        return made
    }
}
