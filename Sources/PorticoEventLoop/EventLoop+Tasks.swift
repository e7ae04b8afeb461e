/// Tasks may run on a loop: `Task(executorPreference: loop) { … }`.
///
/// What such a task does between two suspensions runs on the loop's thread, like a job. When it waits for something
/// that happens on the same loop, an HTTP exchange say, going on costs neither a system call nor a change of threads.
/// It must not block, and what takes long belongs elsewhere. Steps run in the order of their arrival, whatever the
/// priorities.
extension EventLoop: TaskExecutor {
    package func enqueue(_ job: consuming ExecutorJob) {
        let step = UnownedJob(job)
        if !run(step) { Self.handOn(step) }
    }

    func perform(_ step: UnownedJob) {
        unsafe step.runSynchronously(on: asUnownedTaskExecutor())
    }

    /// The loop has ended before its tasks: they go on where tasks run that belong to no loop.
    func handOn(_ rest: [Work]) {
        for piece in rest {
            switch piece {
            case .step(let step): Self.handOn(step)
            case .job: break
            }
        }
    }

    private static func handOn(_ step: UnownedJob) {
        globalConcurrentExecutor.enqueue(ExecutorJob(step))
    }
}
