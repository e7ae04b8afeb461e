import PorticoSchema
import PorticoWire
import Testing

@testable import PorticoServer

private let router = Router(FakeSource.schema)

@Test func everyRouteOfTheSchemaIsFoundByItsBytes() {
    for (index, method) in FakeSource.schema.methods.enumerated() {
        let target = router.target(of: method.route.utf8.span)
        #expect(target?.method == MethodID(index))
        #expect(target?.isBuiltIn == method.route.hasPrefix("portico.v1.Control/"))
    }
}

@Test(arguments: [
    "", "test.v1.Test", "test.v1.Test/", "test.v1.Test/Echo ", "test.v1.test/Echo", "Test/Echo",
])
func aRouteMustBeSpeltExactly(route: String) {
    #expect(router.target(of: route.utf8.span) == nil)
}

@Test func aSchemaWithoutMethodsHasNoRoutes() {
    let none = Router(Schema(messages: [], enums: [], methods: [], fileDescriptorSet: []))
    #expect(none.target(of: "a/B".utf8.span) == nil)
}

@Test(arguments: [
    ("test.v1.Test/echo", "there is no method test.v1.Test/echo; the nearest is test.v1.Test/Echo"),
    ("completely different", "there is no method completely different"),
]) func anUnknownRouteNamesTheNearest(route: String, message: String) {
    #expect(router.unknown(route.utf8.span, .nearest) == CallError(.unimplemented, message))
    #expect(
        router.unknown(route.utf8.span, .none) == CallError(.unimplemented, "there is no method \(route)"))
}

@Test func aRouteThatIsNotTextIsInvalid() {
    #expect(router.unknown([0xff, 0xfe].span, .nearest).code == .invalidArgument)
}

@Test func hintsAreGivenSoManyTimesASecond() {
    let start = Instant(nanoseconds: 5)
    var budget = HintBudget(at: start)
    for second in [0, 1, 100] {
        let now = start + .seconds(second)
        for _ in 0..<HintBudget.perSecond {
            let isGiven = budget.take(at: now)
            #expect(isGiven)
        }
        let isGiven = budget.take(at: now + .milliseconds(999))
        #expect(!isGiven)
    }
}
