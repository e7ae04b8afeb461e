@testable import PorticoTranscode

extension ViewPlan {
    /// Of pages of whose fields nobody knows the places.
    func run(pages: [[UInt8]], request: [UInt8]) throws(TranscodeError) -> [UInt8] {
        try run(pages: pages.map { RecordPage($0) }, request: request)
    }
}
