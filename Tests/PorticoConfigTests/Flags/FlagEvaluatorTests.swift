import PorticoTranscode
import TestSupport
import Testing

@testable import PorticoConfig

struct FlagEvaluatorTests {
    private static let context = FlagContext(
        clientID: "client-1", appVersion: "2.1.0", platform: "ios", locale: "de-CH")

    private func json(_ text: String) throws -> JSONValue {
        try DocumentReader.read(Array(text.utf8), file: "rule").value
    }

    private func evaluate(
        _ rule: String?, for context: FlagContext = context, isEnabled: Bool = true
    ) throws -> FlagResult? {
        let flag = FlagDefinition(
            isEnabled: isEnabled,
            variants: ["on": .bool(true), "off": .bool(false), "true": .string("t"), "1": .number("1")],
            defaultVariant: "off", targeting: try rule.map(json))
        return FlagEvaluator(flags: ["flag": flag]).evaluate("flag", for: context, timestamp: 1_700_000_000)
    }

    /// Rules that choose `on` where they hold.
    @Test(arguments: [
        (#"{"==": [{"var": "platform"}, "ios"]}"#, true), (#"{"==": [{"var": "platform"}, "web"]}"#, false),
        (#"{"==": [1, "1"]}"#, true), (#"{"===": [1, "1"]}"#, false), (#"{"===": [1, 1.0]}"#, true),
        (#"{"!=": [1, 2]}"#, true), (#"{"!==": [1, "1"]}"#, true), (#"{"==": [null, 0]}"#, false),
        (#"{"==": [{"var": "nothing"}, null]}"#, true), (#"{"<": [1, 2]}"#, true),
        (#"{"<": [1, 2, 3]}"#, true),
        (#"{"<": [1, 3, 2]}"#, false), (#"{"<=": [1, 1, 1]}"#, true), (#"{">": ["10", 9]}"#, true),
        (#"{">": ["10", "9"]}"#, false), (#"{">=": ["x", 1]}"#, false),
        (#"{"and": [true, 1, "x"]}"#, true), (#"{"and": [true, 0]}"#, false),
        (#"{"or": [false, [], "x"]}"#, true),
        (#"{"or": [false, ""]}"#, false), (#"{"!": [false]}"#, true), (#"{"!": true}"#, false),
        (#"{"!!": [[]]}"#, false),
        (#"{"in": ["S", "iOS"]}"#, true), (#"{"in": [{"var": "platform"}, ["ios", "android"]]}"#, true),
        (#"{"in": [1, ["1"]]}"#, false), (#"{"in": ["a", 5]}"#, false),
        (#"{"starts_with": [{"var": "locale"}, "de"]}"#, true),
        (#"{"ends_with": [{"var": "locale"}, "CH"]}"#, true),
        (#"{"starts_with": [5, "5"]}"#, false), (#"{"starts_with": [{"var": "locale"}, "fr"]}"#, false),
        (#"{"sem_ver": [{"var": "appVersion"}, ">=", "2.0.0"]}"#, true),
        (#"{"sem_ver": [{"var": "appVersion"}, "<", "2.0.0"]}"#, false),
        (#"{"sem_ver": ["junk", "=", "junk"]}"#, false),
        (#"{"sem_ver": [{"var": "none"}, "=", "1.0.0"]}"#, false),
        (#"{"==": [{"var": "targetingKey"}, {"var": "clientId"}]}"#, true),
        (#"{"==": [{"var": "$flagd.flagKey"}, "flag"]}"#, true),
        (#"{">": [{"var": "$flagd.timestamp"}, 1699999999]}"#, true),
        (#"{"==": [{"var": ["nothing", "otherwise"]}, "otherwise"]}"#, true),
        (#"{"==": [{"cat": ["a", 1, true, null]}, "a1true"]}"#, true),
    ])
    func aRuleHoldsOrNot(rule: String, holds: Bool) throws {
        let result = try evaluate(#"{"if": [\#(rule), "on", "off"]}"#)
        #expect(
            result == FlagResult(value: .bool(holds), variant: holds ? "on" : "off", reason: .targetingMatch))
    }

    @Test(
        arguments: [
            (nil, "off", .static), ("{}", "off", .static), ("null", "off", .default),
            (#"{"if": [false, "on"]}"#, "off", .default),
            (#"{"if": [false, "x", true, "on", "off"]}"#, "on", .targetingMatch),
            (#""on""#, "on", .targetingMatch), ("true", "true", .targetingMatch), ("1", "1", .targetingMatch),
            (#""unknown""#, "off", .error), ("[1]", "off", .error), (#"{"nonsense": []}"#, "off", .error),
            (#"{"a": 1, "b": 2}"#, "off", .error), (#"{"==": [1]}"#, "off", .error),
            (#"{"fractional": [["on", 1], ["off", 0]]}"#, "on", .targetingMatch),
            (#"{"fractional": [["on"], ["on"]]}"#, "on", .targetingMatch),
            (#"{"fractional": [{"var": "nothing"}, ["on", 1]]}"#, "off", .default),
            (#"{"fractional": [["on", 0], ["off", 0]]}"#, "off", .default),
            (#"{"fractional": [["on", "x"]]}"#, "off", .default),
            (#"{"fractional": ["key", 5]}"#, "off", .error),
            (#"{"fractional": [["on", 1e300]]}"#, "off", .default),
            (#"{"fractional": [[{"if": [true, "on"]}, {"if": [true, 7]}]]}"#, "on", .targetingMatch),
        ] as [(String?, String, FlagReason)])
    func aResultSaysWhyItIsSo(rule: String?, variant: String, reason: FlagReason) throws {
        let result = try evaluate(rule)
        #expect(result?.variant == variant)
        #expect(result?.reason == reason)
    }

    @Test func aDisabledFlagHasItsDefaultWhateverItsRulesSay() throws {
        let result = try evaluate(#""on""#, isEnabled: false)
        #expect(result == FlagResult(value: .bool(false), variant: "off", reason: .disabled))
    }

    @Test func anUnknownFlagHasNoValue() {
        #expect(FlagEvaluator(flags: [:]).evaluate("x", for: Self.context, timestamp: 0) == nil)
    }

    @Test func whatTheClientDidNotSayIsAbsent() throws {
        let nobody = FlagContext()
        #expect(
            try evaluate(#"{"if": [{"==": [{"var": "platform"}, null]}, "on"]}"#, for: nobody)?.variant
                == "on")
        #expect(try evaluate(#"{"fractional": [["on", 1]]}"#, for: nobody)?.reason == .default)
    }

    /// By hashing `flag` and the targeting key.
    @Test func withoutATextToHashTheFlagAndTheClientDecide() throws {
        let weights = [50, 50]
        for client in ["a", "b", "c", "d", "e"] {
            let expected = Fractional.bucket(of: "flag\(client)", weights: weights) == 0 ? "on" : "off"
            let context = FlagContext(clientID: client)
            #expect(
                try evaluate(#"{"fractional": [["on", 50], ["off", 50]]}"#, for: context)?.variant == expected
            )
        }
    }

    @Test func aRuleNestedTooDeepIsAnErrorAndNotACrash() {
        var rule = JSONValue.bool(true)
        for _ in 0..<500 { rule = .object([.init("!", .array([rule]))]) }
        let flag = FlagDefinition(
            isEnabled: true, variants: ["on": .bool(true)], defaultVariant: "on", targeting: rule)
        let result = FlagEvaluator(flags: ["f": flag]).evaluate("f", for: Self.context, timestamp: 0)
        #expect(result?.reason == .error)
    }

    @Test func randomRulesNeverTrap() {
        var generator = SeededGenerator(seed: 42)
        for _ in 0..<3_000 {
            let flag = FlagDefinition(
                isEnabled: true, variants: ["on": .bool(true)], defaultVariant: "on",
                targeting: Self.randomRule(depth: 0, using: &generator))
            let result = FlagEvaluator(flags: ["f": flag]).evaluate("f", for: Self.context, timestamp: .max)
            #expect(result?.value == .bool(true))
        }
    }

    private static func randomRule(depth: Int, using generator: inout SeededGenerator) -> JSONValue {
        let scalars: [JSONValue] = [
            .null, .bool(true), .number("1e400"), .number("-0"), .number("9007199254740993"), .string(""),
            .string("on"), .string("1.2.3"), .string("🇨🇭"), .object([]), .array([]),
        ]
        guard depth < 6, Int.random(in: 0..<4, using: &generator) > 0 else {
            return scalars.randomElement(using: &generator) ?? .null
        }
        let arguments = (0..<Int.random(in: 0...4, using: &generator)).map { _ in
            randomRule(depth: depth + 1, using: &generator)
        }
        guard Int.random(in: 0..<5, using: &generator) > 0,
            let known = TargetingOperator.allCases.randomElement(using: &generator)
        else { return .array(arguments) }
        return .object([.init(known.rawValue, .array(arguments))])
    }
}

struct TargetingRulesTests {
    @Test(
        arguments: [
            ("{}", nil), (#"{"if": [true, "on"]}"#, nil), (#"{"var": "platform"}"#, nil),
            (#"{"!": {"var": "x"}}"#, nil),
            (#"{"iff": [true]}"#, "1:2: no operator `iff`; did you mean `if`?"),
            (#"{"starts-with": ["a", "b"]}"#, "1:2: no operator `starts-with`; did you mean `starts_with`?"),
            (#"{"if": [{"==": [1]}, "on"]}"#, "1:10: `==` does not take 1 argument"),
            (#"{"a": 1, "b": 2}"#, "1:1: a rule has one operator, this has 2"),
            (#"{"if": [{}]}"#, "1:9: a rule has one operator, this has 0"),
            (#"{"sem_ver": ["1", "=>", "2"]}"#, "1:19: `sem_ver` compares with one of = != < <= > >= ~ ^"),
            (
                #"{"fractional": [["on", 50], ["off", -1]]}"#,
                "1:37: a weight is an integer, 0 to 2147483647, not -1"
            ),
            (
                #"{"fractional": [["on", 2147483647], ["off", 1]]}"#,
                "1:37: the weights add up to more than 2147483647"
            ),
            (#"{"fractional": ["on", 50]}"#, #"1:23: expected a list of variant and weight: ["on", 50]"#),
            (#"{"fractional": ["on"]}"#, "1:17: `fractional` needs lists of variant and weight"),
        ] as [(String, String?)])
    func aMistakeIsFoundWhereItIsWritten(rule: String, fault: String?) throws {
        let document = try DocumentReader.read(Array(rule.utf8), file: "f")
        #expect(TargetingRules.firstFault(in: document)?.description == fault.map { "f:\($0)" })
    }

    @Test func deepRulesAreRefused() throws {
        let deep = String(repeating: #"{"!": "#, count: 31) + "1" + String(repeating: "}", count: 31)
        let deeper = #"{"!": "# + deep + "}"
        #expect(TargetingRules.firstFault(in: try DocumentReader.read(Array(deep.utf8), file: "f")) == nil)
        let fault = TargetingRules.firstFault(in: try DocumentReader.read(Array(deeper.utf8), file: "f"))
        #expect(fault?.message == "nested deeper than 32 levels")
    }
}
