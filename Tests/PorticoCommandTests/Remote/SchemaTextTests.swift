import Testing

@testable import portico

@Suite struct SchemaTextTests {
    private let text = SchemaText(schema: SampleSchema.schema)

    @Test func aMessageIsWrittenAsInItsFile() {
        #expect(
            text.text(of: "zoo.v1.Animal") == """
                message zoo.v1.Animal {
                  string name = 1;
                  int64 weight_grams = 2;
                  zoo.v1.Diet diet = 3;
                  oneof home {
                    string cage = 4;
                    zoo.v1.Pond pond = 5;
                  }
                  map<string, zoo.v1.Pond> visits = 6;
                  optional bool is_shy = 7;
                }
                """)
    }

    @Test func anEnumIsWrittenAsInItsFile() {
        #expect(
            text.text(of: "zoo.v1.Diet") == """
                enum zoo.v1.Diet {
                  DIET_UNSPECIFIED = 0;
                  LEAVES = 1;
                  MEAT = 2;
                }
                """)
    }

    @Test func whatTheSchemaDoesNotHaveHasNoText() {
        #expect(text.text(of: "zoo.v1.Keeper") == nil)
    }
}
