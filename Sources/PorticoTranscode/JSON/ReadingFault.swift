/// What the scanners and decoders throw inside the module: one offset and a plain value, so that throwing costs no
/// allocation. The module's edge turns it into a ``TranscodeError`` with a path.
struct ReadingFault: Error, Equatable {
    enum Problem: Equatable {
        /// Not JSON: the whole decode fails, whatever the mode.
        case syntax(JSONProblem)
        /// JSON that does not fit the schema: lossy decoding drops the list element around it.
        case mismatch(Mismatch)
    }
    let offset: Int
    let problem: Problem

    init(_ problem: JSONProblem, at offset: Int) {
        self.problem = .syntax(problem)
        self.offset = offset
    }

    init(_ mismatch: Mismatch, at offset: Int) {
        problem = .mismatch(mismatch)
        self.offset = offset
    }

    var isMismatch: Bool {
        switch problem {
        case .syntax: false
        case .mismatch: true
        }
    }
}
