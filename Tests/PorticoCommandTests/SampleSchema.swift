import PorticoSchema

/// A small schema for the tests of commands.
enum SampleSchema {
    static let schema: Schema = {
        let text = """
            syntax = "proto3";
            package zoo.v1;
            enum Diet { DIET_UNSPECIFIED = 0; LEAVES = 1; MEAT = 2; }
            message Animal {
              string name = 1;
              int64 weight_grams = 2;
              Diet diet = 3;
              oneof home { string cage = 4; Pond pond = 5; }
              map<string, Pond> visits = 6;
              optional bool is_shy = 7;
            }
            message Pond { double depth = 1; }
            message Herd { repeated Animal animals = 1; }
            """
        do {
            return try SchemaCompiler.compile(files: [SchemaFile(path: "zoo.proto", text: text)])
        } catch {
            preconditionFailure("the sample schema is wrong: \(error)")
        }
    }()

    static func message(_ name: String) -> MessageID {
        guard let id = schema.message(named: "zoo.v1.\(name)") else {
            preconditionFailure("the sample schema has no \(name)")
        }
        return id
    }
}
