import Glibc

/// Runs `body` on a new detached thread that no signal is delivered to: signals belong to the program's main thread.
///
/// - Throws: ``SystemError/system(call:subject:errno:)`` when the kernel has no thread to give.
func startThread(_ body: sending @escaping () -> Void) throws(SystemError) {
    var every = sigset_t()
    var before = sigset_t()
    unsafe sigfillset(&every)
    // A new thread inherits the mask of the one that makes it.
    unsafe pthread_sigmask(SIG_SETMASK, &every, &before)
    defer { unsafe pthread_sigmask(SIG_SETMASK, &before, nil) }

    let box = unsafe Unmanaged.passRetained(ThreadBody(body))
    var thread = pthread_t()
    let code = unsafe pthread_create(
        &thread, nil,
        { argument in
            guard let argument = unsafe argument else { return nil }
            unsafe Unmanaged<ThreadBody>.fromOpaque(argument).takeRetainedValue().run()
            return nil
        }, box.toOpaque())
    guard code == 0 else {
        unsafe box.release()
        throw .system(call: "pthread_create", subject: "", errno: code)
    }
    pthread_detach(thread)
}

private final class ThreadBody {
    let run: () -> Void
    init(_ run: sending @escaping () -> Void) { self.run = run }
}
