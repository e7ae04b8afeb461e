import Glibc

/// An open file descriptor with one owner: it is closed when its owner goes.
///
/// Handing it over is a `consuming` call, so a descriptor is never closed twice and never used after it was closed.
package struct Descriptor: ~Copyable {
    /// The kernel's number. Valid only while this value lives: do not keep it.
    package let number: Int32

    /// - Parameter number: an open descriptor that nobody else closes.
    package init(owning number: Int32) {
        precondition(number >= 0, "a negative number is an error code, not a descriptor: a bug in the caller")
        self.number = number
    }

    deinit {
        // Not repeated after EINTR: on Linux the descriptor is gone all the same (close(2)).
        _ = close(number)
    }
}

/// Runs a system call again while a signal interrupts it.
///
/// - Throws: ``SystemError/system(call:subject:errno:)`` when the call returns -1 for any other reason.
@discardableResult
func system(
    _ call: String, about subject: @autoclosure () -> String = "", _ body: () -> Int32
) throws(SystemError) -> Int32 {
    while true {
        let result = body()
        if result != -1 { return result }
        let code = errno
        if code != EINTR { throw .system(call: call, subject: subject(), errno: code) }
    }
}

/// What the C library says about an `errno`: `Too many open files`.
func systemErrorText(_ code: Int32) -> String {
    var text = [CChar](repeating: 0, count: 256)
    guard unsafe strerror_r(code, &text, text.count) == 0 else { return "error \(code)" }
    return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
}
