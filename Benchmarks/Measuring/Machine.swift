import Foundation

/// What the figures were measured on; without it they mean little.
enum Machine {
    static var line: String {
        "\(ProcessInfo.processInfo.activeProcessorCount) cores, \(cpu), \(swift), \(system)"
    }

    private static var cpu: String {
        let lines =
            (try? String(contentsOfFile: "/proc/cpuinfo", encoding: .utf8))?.split(separator: "\n") ?? []
        let model = lines.first { $0.hasPrefix("model name") }?.split(separator: ":").last
        return model.map { $0.trimmingCharacters(in: .whitespaces) } ?? "unknown CPU"
    }

    /// The compiler that built this, as far as it can be told without asking it.
    private static var swift: String {
        #if compiler(>=6.4)
            "Swift 6.4 or newer"
        #elseif compiler(>=6.3.2)
            "Swift 6.3.2 or newer"
        #elseif compiler(>=6.3.1)
            "Swift 6.3.1"
        #elseif compiler(>=6.3)
            "Swift 6.3"
        #else
            "Swift 6.2"
        #endif
    }

    private static var system: String { ProcessInfo.processInfo.operatingSystemVersionString }
}
