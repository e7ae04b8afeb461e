/// libFuzzer's entry point. The bytes are read where libFuzzer keeps them, with Address Sanitizer's fences on both sides.
@_cdecl("LLVMFuzzerTestOneInput")
func fuzzOneInput(_ start: UnsafePointer<UInt8>, _ count: Int) -> Int32 {
    do throws(FuzzedTranscoder.Violation) {
        try transcoder.check(Span(_unsafeStart: start, count: count))
    } catch {
        fatalError("\(error)")
    }
    return 0
}

private let transcoder = FuzzedTranscoder()
