import PorticoSchema
import Testing

@Suite struct SchemasTests {
    let schema: Schema

    init() throws { schema = try SchemaCompiler.compile(files: SchemaFiles.all()) }

    @Test func everyMethodOfTheServicesIsBound() {
        let routes = schema.methods.map { method in
            let kind =
                switch method.binding {
                case .upstream: "upstream"
                case .view: "view"
                case .image: "image"
                case .compose: "composed"
                case .builtIn: "built in"
                }
            return "\(method.route) \(kind)"
        }
        #expect(
            routes.sorted() == [
                "directory.v1.Directory/CreateEmployee upstream",
                "directory.v1.Directory/GroupByTeam view",
                "directory.v1.Directory/ListEmployees upstream",
                "directory.v1.Directory/Photo image",
                "directory.v1.Directory/UpdateEmployee upstream",
                "home.v1.Home/Screen composed",
                "portico.v1.Control/GetEnvironment built in",
                "portico.v1.Control/GetFlags built in",
                "portico.v1.Control/GetSchema built in",
                "portico.v1.Control/ListMethods built in",
                "staff.v1.Staff/GetEmployee upstream",
                "staff.v1.Staff/ListEmployees upstream",
                "staff.v1.Staff/ProfileImage image",
                "starwars.v1.Characters/GetPerson upstream",
                "starwars.v1.Characters/GetPersonWithHomeworld view",
                "starwars.v1.Characters/GetPlanet upstream",
                "starwars.v1.Characters/GroupByEyeColor view",
                "starwars.v1.Characters/GroupByHomeworld view",
                "starwars.v1.Characters/ListPeople upstream",
                "starwars.v1.Characters/ListPeopleWithHomeworlds view",
                "starwars.v1.Characters/SearchPeople view",
                "television.v1.Television/Poster image",
                "television.v1.Television/Trending upstream",
            ])
    }

    @Test func theDescriptorSetDecodesToTheSameSchema() throws {
        let decoded = try SchemaCompiler.decode(fileDescriptorSet: schema.fileDescriptorSet.span)
        #expect(decoded.fileDescriptorSet == schema.fileDescriptorSet)
        #expect(decoded.messages.map(\.fullName) == schema.messages.map(\.fullName))
        #expect(decoded.methods.map(\.route) == schema.methods.map(\.route))
        let person = try #require(decoded.message(named: "starwars.v1.Person"))
        #expect(decoded[person].fields.map(\.jsonName).contains("eyeColor"))
        let gender = try #require(decoded.enumeration(named: "starwars.v1.Gender"))
        #expect(
            decoded[gender].values.map(\.json) == [nil, "male", "female", "n/a", "hermaphrodite", "none"])
    }
}
