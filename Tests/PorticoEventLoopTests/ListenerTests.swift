import Glibc
import PorticoWire
import Testing

@testable import PorticoEventLoop

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
        #expect(throws: SystemError.badAddress(text)) { try SocketAddress(parsing: text) }
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
        #expect(throws: SystemError.addressInUse("\(address)")) { _ = try ListeningSocket(address) }
    }

    @Test func aLeftOverSocketFileIsReplacedAndALiveOneIsNot() throws {
        let address = try SocketAddress(
            parsing: "unix:/tmp/portico-test-\(UInt64.random(in: 0 ... .max)).sock")
        do { _ = try ListeningSocket(address) }
        let live = try ListeningSocket(address)
        #expect(live.address == address)
        #expect(throws: SystemError.addressInUse("\(address)")) { _ = try ListeningSocket(address) }
        if let path = address.unixPath { _ = unsafe unlink(path) }
    }

    @Test func aFileThatIsNoSocketIsLeftAlone() throws {
        let path = "/tmp/portico-test-\(UInt64.random(in: 0 ... .max)).txt"
        _ = Descriptor(owning: unsafe open(path, O_CREAT | O_WRONLY, 0o600))
        let address = try SocketAddress(parsing: "unix:\(path)")
        #expect(throws: SystemError.self) { _ = try ListeningSocket(address) }
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

    /// In a process of its own, whose descriptors may all be taken; few, so that none is refused for want of memory.
    /// Its turns are run by hand: after the failed accept they wait for the pause to end, though the listener stays
    /// readable all the while. A signal may cut one short, a spinning loop makes thousands.
    @Test func whenDescriptorsRunOutAcceptingPausesAndGoesOnAfterwards() async {
        await #expect(processExitsWith: .success) {
            var descriptors = rlimit(rlim_cur: 128, rlim_max: 128)
            precondition(unsafe setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &descriptors) == 0)
            let loop = try EventLoop()
            let reactor = try Reactor(loop: loop)
            let socket = try ListeningSocket(SocketAddress(parsing: "127.0.0.1:0"))
            let address = socket.address
            let accepted = Box(0)
            _ = try Listener.attach(socket, to: reactor, limit: ConnectionLimit(maximum: 10)) { _, _, _ in
                accepted.value += 1
            }
            let client = Descriptor(owning: Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0))
            let number = client.number
            try system("connect") { unsafe address.withSystemAddress { unsafe connect(number, $0, $1) } }
            var hoard: [Int32] = []
            while case let copy = dup(number), copy >= 0 { hoard.append(copy) }

            _ = reactor.runTurn()
            let paused = reactor.now
            var turns = 0
            while reactor.now - paused < .milliseconds(40), turns < 10 {
                _ = reactor.runTurn()
                turns += 1
            }
            precondition(turns < 10, "the loop spins")
            precondition(accepted.value == 0, "there was no descriptor to accept with")

            for copy in hoard { close(copy) }
            for _ in 0..<2 where accepted.value == 0 { _ = reactor.runTurn() }
            precondition(accepted.value == 1, "accepting goes on once there are descriptors")
        }
    }
}
