import Testing

@testable import PorticoConfig

struct HashTests {
    /// Published vectors of MurmurHash3_x86_32: en.wikipedia.org/wiki/MurmurHash and stackoverflow.com/a/31929528.
    @Test(
        arguments: [
            ([], 0, 0), ([], 1, 0x514e_28b7), ([], 0xffff_ffff, 0x81f1_6f39),
            ([0xff, 0xff, 0xff, 0xff], 0, 0x7629_3b50), ([0x21, 0x43, 0x65, 0x87], 0, 0xf55b_516b),
            ([0x21, 0x43, 0x65, 0x87], 0x5082_edee, 0x2362_f9de), ([0x21, 0x43, 0x65], 0, 0x7e4a_8634),
            ([0x21, 0x43], 0, 0xa0f7_b07a), ([0x21], 0, 0x7266_1cf4), ([0, 0, 0, 0], 0, 0x2362_f9de),
            ([0, 0, 0], 0, 0x85f0_b427), ([0, 0], 0, 0x30f4_c306), ([0], 0, 0x514e_28b7),
        ] as [([UInt8], UInt32, UInt32)])
    func bytesHashAsPublished(bytes: [UInt8], seed: UInt32, hash: UInt32) {
        #expect(Murmur3.hash32(bytes.span, seed: seed) == hash)
    }

    @Test(
        arguments: [
            ("test", 0, 0xba6b_d213), ("test", 0x9747_b28c, 0x704b_81dc), ("Hello, world!", 0, 0xc036_3e43),
            ("Hello, world!", 0x9747_b28c, 0x2488_4cba),
            ("The quick brown fox jumps over the lazy dog", 0, 0x2e4f_f723),
            ("The quick brown fox jumps over the lazy dog", 0x9747_b28c, 0x2fa8_26cd),
            ("aaaa", 0x9747_b28c, 0x5a97_808a), ("aaa", 0x9747_b28c, 0x283e_0130),
            ("aa", 0x9747_b28c, 0x5d21_1726),
            ("a", 0x9747_b28c, 0x7fa0_9ea6), ("abcd", 0x9747_b28c, 0xf047_8627),
            ("abc", 0x9747_b28c, 0xc84a_62dd),
            ("ab", 0x9747_b28c, 0x7487_5592),
        ] as [(String, UInt32, UInt32)])
    func textHashesAsPublished(text: String, seed: UInt32, hash: UInt32) {
        #expect(Murmur3.hash32(Array(text.utf8).span, seed: seed) == hash)
    }
}

struct FractionalTests {
    /// What flagd's public test bed expects of its flag `fractional-flag`, four variants of weight 25.
    @Test(arguments: [("jack", 2), ("queen", 3), ("ten", 0), ("nine", 1), ("3", 0)])
    func aClientLandsInFlagdsBucket(name: String, bucket: Int) {
        #expect(Fractional.bucket(of: "fractional-flag\(name)", weights: [25, 25, 25, 25]) == bucket)
    }

    @Test(
        arguments: [
            (0, [1, 1], 0), (0x7fff_ffff, [1, 1], 0), (0x8000_0000, [1, 1], 1), (.max, [1, 1], 1),
            (0x4000_0000, [25, 75], 1), (0x3fff_ffff, [25, 75], 0), (0, [0, 5], 1), (.max, [5, 0], 0),
            (0, [-3, 5], 1), (0, [0, 0], nil), (0, [], nil), (.max, [Int(Int32.max)], 0),
            (0, [Int(Int32.max), 1], nil), (0, [.max, .max], nil), (0, [.min, 1], 1),
        ] as [(UInt32, [Int], Int?)])
    func theHashDividesTheWeights(hash: UInt32, weights: [Int], bucket: Int?) {
        #expect(Fractional.bucket(ofHash: hash, weights: weights) == bucket)
    }

    @Test func manyClientsDivideByTheWeights() {
        var counts = [0, 0, 0]
        for client in 0..<20_000 {
            if let bucket = Fractional.bucket(of: "flag-client-\(client)", weights: [10, 30, 60]) {
                counts[bucket] += 1
            }
        }
        #expect((1_800...2_200).contains(counts[0]))
        #expect((5_700...6_300).contains(counts[1]))
        #expect(counts.reduce(0, +) == 20_000)
    }
}

struct SemanticVersionTests {
    @Test(arguments: [
        ("1.0.0", "=", "1.0.0", true), ("1.0", "=", "1.0.0", true), ("v2", "=", "2.0.0", true),
        ("1.2.3", "!=", "1.2.4", true), ("1.9.0", "<", "1.10.0", true), ("2.0.0", "<=", "2.0.0", true),
        ("2.0.1", ">", "2.0.0", true), ("1.0.0", ">=", "1.0.1", false), ("1.2.9", "~", "1.2.0", true),
        ("1.3.0", "~", "1.2.0", false), ("1.9.9", "^", "1.0.0", true), ("2.0.0", "^", "1.0.0", false),
        ("1.0.0-alpha", "<", "1.0.0", true), ("1.0.0-alpha", "<", "1.0.0-alpha.1", true),
        ("1.0.0-alpha.1", "<", "1.0.0-alpha.beta", true), ("1.0.0-beta.2", "<", "1.0.0-beta.11", true),
        ("1.0.0-rc.1", "<", "1.0.0", true), ("1.0.0+build", "=", "1.0.0", true),
        ("99999999999999999999.0.0", ">", "99999999999999999998.0.0", true), ("01.0.0", "=", "1.0.0", true),
    ])
    func versionsCompareAsSemverOrdersThem(left: String, relation: String, right: String, holds: Bool) throws
    {
        let relation = try #require(SemanticVersion.Relation(rawValue: relation))
        let left = try #require(SemanticVersion(left))
        #expect(left.is(relation, try #require(SemanticVersion(right))) == holds)
    }

    @Test(arguments: ["", "v", "a", "1.", ".1", "1.2.3.4", "1.-2", "1.0.0-", "1.0.0-a..b", "1.x", " 1"])
    func whatIsNoVersionIsNone(text: String) { #expect(SemanticVersion(text) == nil) }
}
