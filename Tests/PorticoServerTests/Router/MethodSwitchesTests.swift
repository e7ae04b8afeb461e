import PorticoConfig
import PorticoSchema
import PorticoTranscode
import PorticoWire
import Testing

@testable import PorticoServer

@Suite struct MethodSwitchesTests {
    /// Two parts, of which a flag switches the first off, and what is composed of them.
    private static func switches() -> MethodSwitches {
        let here = SourceLocation(file: "test.proto", line: 1, column: 1)
        let upstream = MethodBinding.upstream(
            UpstreamBinding(base: "u", method: .get, path: PathTemplate(path: Template([]), query: [])))
        let composed = MethodBinding.compose(
            ComposeBinding(
                parts: [.init(field: "a", from: MethodID(0)), .init(field: "b", from: MethodID(1))],
                sources: "sources"))
        let methods = [("A", upstream), ("B", upstream), ("All", composed)].map { name, binding in
            MethodDescriptor(
                name: name, service: "t.S", input: MessageID(0), output: MessageID(0), binding: binding,
                location: here)
        }
        let schema = Schema(messages: [], enums: [], methods: methods, fileDescriptorSet: [])
        var configuration = Configuration(environment: "Test")
        configuration.methods["t.S/A", default: .init()].enabledBy = "beta"
        configuration.flags["beta"] = FlagDefinition(
            isEnabled: true, variants: ["on": .bool(true), "off": .bool(false)], defaultVariant: "off")
        return MethodSwitches(configuration, schema)
    }

    @Test func whatIsComposedIsSwitchedWithItsParts() {
        let switches = Self.switches()
        #expect((0..<3).map { switches.isSwitched(MethodID($0)) } == [true, false, true])
    }

    @Test func onlyThePartsThatAClientMayNotCallAreRefused() throws {
        let switches = Self.switches()
        let refusals = switches.refusals(within: MethodID(2), for: Hello())
        #expect(Array(refusals.keys) == [MethodID(0)])
        #expect(refusals[MethodID(0)]?.code == .unimplemented)
        #expect(switches.refusals(within: MethodID(1), for: Hello()).isEmpty)
        try switches.check(MethodID(2), for: Hello())
    }
}
