import PorticoUpstream
import Testing

@Suite struct SHA256Tests {
    private func hex(_ bytes: [UInt8]) -> String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    /// The examples of FIPS 180-2, appendix B, and the empty message.
    @Test(arguments: [
        ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
        ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
        (
            "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
        ),
    ])
    func knownMessagesHaveTheirKnownHashes(text: String, expected: String) {
        #expect(hex(SHA256.hash(Array(text.utf8))) == expected)
        #expect(SHA256.name(Array(text.utf8)) == String(expected.prefix(32)))
    }

    /// Around the lengths where padding needs a block more.
    @Test func everyLengthHasAHashOfItsOwn() {
        let hashes = (0...130).map { SHA256.hash([UInt8](repeating: 97, count: $0)) }
        #expect(Set(hashes).count == 131)
        #expect(hashes.allSatisfy { $0.count == 32 })
    }
}
