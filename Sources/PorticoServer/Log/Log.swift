package import PorticoConfig
import Synchronization
import PorticoEventLoop

/// Writes lines of at least its level. Neither tokens nor secrets are ever given to it.
package struct Log: Sendable {
    /// Shared by all copies, so that a reload reaches every part of the program.
    private final class Settings: Sendable {
        let current: Mutex<Configuration.Log>
        init(_ settings: Configuration.Log) { current = Mutex(settings) }
    }
    private let settings: Settings
    private let write: @Sendable ([UInt8]) -> Void

    /// - Parameter write: gets one whole line with its newline, from any thread.
    package init(
        _ settings: Configuration.Log,
        write: @escaping @Sendable ([UInt8]) -> Void = Host.writeToStandardError
    ) {
        self.settings = Settings(settings)
        self.write = write
    }

    /// From now on, for every copy of this log.
    package func use(_ settings: Configuration.Log) { self.settings.current.withLock { $0 = settings } }

    package func callAsFunction(
        _ level: Configuration.Log.Level, _ message: String,
        _ fields: @autoclosure () -> KeyValuePairs<String, LogLine.Value> = [:]
    ) {
        let settings = settings.current.withLock { $0 }
        guard level.severity >= settings.level.severity else { return }
        let line = LogLine(
            level: level, message: message,
            fields: fields().map { LogLine.Field(name: $0.key, value: $0.value) })
        let time = Host.wallClockMilliseconds
        let text =
            switch settings.format {
            case .text: line.text(atMilliseconds: time)
            case .json: line.json(atMilliseconds: time)
            }
        write(Array(text.utf8) + [0x0a])
    }
}

extension Configuration.Log.Level {
    fileprivate var severity: Int {
        switch self {
        case .debug: 0
        case .info: 1
        case .warning: 2
        case .error: 3
        }
    }
}
