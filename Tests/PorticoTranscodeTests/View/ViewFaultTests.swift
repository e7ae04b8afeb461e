import PorticoSchema
import PorticoTranscode
import Testing

/// What the schema's compiler should have refused is refused here, too, with a sentence.
struct ViewFaultTests {
    private static let source = MethodID(0)

    @Test(arguments: [
        ViewBinding(from: source, sort: [.init(field: ["no_such"])]),
        ViewBinding(from: source, sort: [.init(field: ["tags"])]),
        ViewBinding(from: source, sort: [.init(field: ["home"])]),
        ViewBinding(from: source, group: .init(by: ["home", "no_such"], order: .key)),
        ViewBinding(
            from: source, filters: [.init(field: ["name"], comparison: .equal, operand: .request("no_such"))]),
        ViewBinding(
            from: source, filters: [.init(field: ["name"], comparison: .equal, operand: .request("whole"))]),
        ViewBinding(from: source, filters: [.init(field: ["name"], comparison: .equal, operand: .number(1))]),
        ViewBinding(
            from: source, filters: [.init(field: ["height"], comparison: .contains, operand: .text("1"))]),
        ViewBinding(
            from: source, filters: [.init(field: ["height"], comparison: .less, operand: .bool(true))]),
        ViewBinding(
            from: source, filters: [.init(field: ["alive"], comparison: .equal, operand: .request("whole"))]),
        ViewBinding(
            from: source, page: .init(size: "page_size", number: "name", defaultSize: 1, maximumSize: 2)),
        ViewBinding(
            from: source,
            group: .init(by: ["blob"], order: .key, label: Template([.field("key"), .literal("!")]))),
    ])
    func aViewThatItsMessagesCannotCarryIsRefused(view: ViewBinding) throws {
        #expect {
            try ViewPlan(schema: ItemSchema.schema(view), method: MethodID(1))
        } throws: { error in
            guard case .unsuitableView(let reason) = error as? TranscodeError else { return false }
            return !reason.isEmpty
        }
    }

    @Test func aKeyFieldOfAnotherTypeIsRefused() throws {
        let view = ViewBinding(from: Self.source, group: .init(by: ["name"], order: .key))
        #expect(throws: TranscodeError.unsuitableView("test.Group.key does not have the type of its role")) {
            try ViewPlan(schema: ItemSchema.schema(view, keyType: .int32), method: MethodID(1))
        }
    }

    @Test func aMethodThatIsNoViewIsRefused() throws {
        #expect(throws: TranscodeError.unsuitableView("test.Items/All is not bound to a view")) {
            try ViewPlan(schema: ItemSchema.schema(ViewBinding(from: Self.source)), method: Self.source)
        }
    }
}
