import Glibc
import Synchronization
import Testing

@testable import PorticoServer

@Suite struct ListenerTests {
    @Test(arguments: [
        ("127.0.0.1:7400", "127.0.0.1:7400"), ("[::1]:80", "[::1]:80"), ("::1:80", "[::1]:80"),
        ("0.0.0.0:0", "0.0.0.0:0"), ("unix:/tmp/a:b", "unix:/tmp/a:b"),
    ])
    func addressesAreReadAndWritten(text: String, canonical: String) throws {
        #expect(try SocketAddress(parsing: text).description == canonical)
    }

    @Test(arguments: [
        "", "127.0.0.1", ":80", "127.0.0.1:", "127.0.0.1:65536", "127.0.0.1:-1", "127.0.0.1:http", "unix:",
        "999.1.1.1:1",
        "unix:" + String(repeating: "a", count: 108), "[::1:80",
    ])
    func whatIsNoAddressIsSaid(text: String) {
        #expect(throws: ServerError.badAddress(text)) { try SocketAddress(parsing: text) }
    }

    @Test(arguments: [
        ("127.0.0.1:1", true), ("127.9.9.9:1", true), ("[::1]:1", true), ("0.0.0.0:1", false),
        ("unix:a", true),
    ])
    func loopbackIsWhatOnlyThisMachineReaches(text: String, isLoopback: Bool) throws {
        #expect(try SocketAddress(parsing: text).isLoopback == isLoopback)
    }

    @Test func severalLoopsMayShareAnAddressButNoStranger() throws {
        let first = try ListeningSocket(SocketAddress(parsing: "127.0.0.1:0"))
        let second = try first.another()
        #expect(second.address == first.address)
        let address = first.address
        #expect(throws: ServerError.addressInUse("\(address)")) { _ = try ListeningSocket(address) }
    }

    @Test func aLeftOverSocketFileIsReplacedAndALiveOneIsNot() throws {
        let address = try SocketAddress(
            parsing: "unix:/tmp/portico-test-\(UInt64.random(in: 0 ... .max)).sock")
        do { _ = try ListeningSocket(address) }
        let live = try ListeningSocket(address)
        #expect(live.address == address)
        #expect(throws: ServerError.addressInUse("\(address)")) { _ = try ListeningSocket(address) }
        if let path = address.unixPath { _ = unsafe unlink(path) }
    }

    @Test func aFileThatIsNoSocketIsLeftAlone() throws {
        let path = "/tmp/portico-test-\(UInt64.random(in: 0 ... .max)).txt"
        _ = Descriptor(owning: unsafe open(path, O_CREAT | O_WRONLY, 0o600))
        let address = try SocketAddress(parsing: "unix:\(path)")
        #expect(throws: ServerError.self) { _ = try ListeningSocket(address) }
        #expect(unsafe access(path, F_OK) == 0)
        _ = unsafe unlink(path)
    }

    @Test func permitsComeBackWithTheirOwner() {
        let limit = ConnectionLimit(maximum: 1)
        do {
            let permit = limit.acquire()
            let isFirstLetIn = permit != nil
            let isSecondLetIn = limit.acquire() != nil
            #expect(isFirstLetIn && !isSecondLetIn)
            #expect(limit.count == 1)
            _ = consume permit
        }
        #expect(limit.count == 0)
    }

    /// In a process of its own, whose descriptors may all be taken: clients wait in the backlog, the loop rests, and
    /// they are served when descriptors are free again.
    @Test func whenDescriptorsRunOutAcceptingPausesAndGoesOnAfterwards() async {
        await #expect(processExitsWith: .success) {
            let loop = try EventLoop()
            try loop.start()
            let socket = try ListeningSocket(SocketAddress(parsing: "127.0.0.1:0"))
            let address = socket.address
            let accepted = Atomic(0)
            _ = try await loop.listen(on: socket, limit: ConnectionLimit(maximum: 10)) { _ in
                { _, _, _ in accepted.wrappingAdd(1, ordering: .relaxed) }
            }
            // The client's descriptor is made before they run out; connecting needs none.
            let client = Descriptor(owning: Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0))
            var hoard: [Int32] = []
            while case let number = dup(0), number >= 0 { hoard.append(number) }
            let number = client.number
            try system("connect") { unsafe address.withSystemAddress { unsafe connect(number, $0, $1) } }
            // Long enough for a few pauses; a loop that spun would have used most of it.
            var before = timespec()
            var after = timespec()
            unsafe clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &before)
            try await Task.sleep(for: .milliseconds(120))
            unsafe clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &after)
            precondition(accepted.load(ordering: .relaxed) == 0, "there was no descriptor to accept with")
            let spent = (after.tv_sec - before.tv_sec) * 1000 + (after.tv_nsec - before.tv_nsec) / 1_000_000
            precondition(spent < 60, "the loop spun for \(spent) ms")
            for number in hoard { close(number) }
            while accepted.load(ordering: .relaxed) == 0 { await Task.yield() }
        }
    }
}
