/// What libFuzzer calls for each input.
@_cdecl("LLVMFuzzerTestOneInput") public func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    ImageFuzz.run(Array(UnsafeBufferPointer(start: start, count: count)))
    return 0
}
