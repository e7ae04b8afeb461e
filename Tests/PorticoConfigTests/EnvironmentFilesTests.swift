import Foundation
import PorticoSchema
import Testing

@testable import PorticoConfig

/// The files that come with Portico.
struct EnvironmentFilesTests {
    private static let secrets = ["PORTICO_TOKEN": "t", "TMDB_API_KEY": "k"]
    private static let upstreams = [
        "directory", "directory-photos", "staff", "staff-images", "starwars", "tv", "tv-images",
    ]

    private func load(_ name: String, _ variables: [String: String] = [:]) throws -> LoadedConfiguration {
        try ConfigurationLoader(directory: Repository.environments, variables: variables).load(
            environment: name)
    }

    @Test(arguments: ["Development", "Test"]) func theyNeedNothingButThisMachine(name: String) throws {
        let configuration = try load(name.lowercased()).configuration
        #expect(configuration.environment == name)
        #expect(configuration.upstreams.keys.sorted() == Self.upstreams)
        for (name, upstream) in configuration.upstreams { #expect(upstream.baseURL == "sandbox:\(name)/") }
        #expect(configuration.sandbox.address?.hasPrefix("127.0.0.1:") == true)
        #expect(configuration.listen.address.hasPrefix("127.0.0.1:"))
        #expect(configuration.cache.directory == nil && configuration.images.directory == nil)
    }

    @Test func onlyTestCanBeToldToMisbehave() throws {
        #expect(try load("Test").configuration.sandbox.faults)
        #expect(try !load("Development").configuration.sandbox.faults)
        #expect(try !load("Production", Self.secrets).configuration.sandbox.faults)
    }

    @Test func productionAsksThePublicServicesWithItsSecrets() throws {
        let configuration = try load("production", Self.secrets).configuration
        #expect(configuration.upstreams.keys.sorted() == Self.upstreams)
        #expect(configuration.upstreams["tv"]?.query["api_key"]?.revealed == "k")
        #expect(configuration.auth.tokens.map(\.secret.revealed) == ["t"])
        #expect(configuration.sandbox.address == nil)
        #expect(configuration.log.format == .json)
    }

    @Test func productionWithoutItsSecretsSaysWhichAreMissing() {
        #expect {
            _ = try load("production")
        } throws: { error in
            guard let faults = (error as? ConfigurationFaults)?.faults else { return false }
            return faults.map(\.message) == [
                "auth.tokens: the environment variable PORTICO_TOKEN is not set",
                "upstreams.tv.query.api_key: the environment variable TMDB_API_KEY is not set",
            ]
        }
    }

    @Test func theReadmesTableIsTheTableOfKeys() throws {
        let readme = try String(contentsOfFile: "\(Repository.environments)/README.md", encoding: .utf8)
        let table = readme.split(separator: "\n", omittingEmptySubsequences: false)
            .drop { !$0.hasPrefix("| key |") }
            .prefix { !$0.isEmpty }
        #expect(table.joined(separator: "\n") == KeyDocumentation.markdown)
    }

    @Test func anUpstreamOfASchemaThatNoFileDefinesIsAFaultInTheSchema() throws {
        let place = SourceLocation(file: "tv.proto", line: 7, column: 5)
        let faults = try load("test").faults(
            upstreams: [
                .init(upstream: "tv", location: place), .init(upstream: "starwar", location: place),
                .init(upstream: "weather", location: place),
            ], routes: [])
        #expect(
            faults.map(\.description) == [
                "tv.proto:7:5: the environment Test defines no upstream `starwar`; did you mean starwars?",
                "tv.proto:7:5: the environment Test defines no upstream `weather`; "
                    + "set upstreams.weather.baseURL in its file",
            ])
    }

    @Test func aMethodThatNoSchemaHasIsAFaultInTheFile() throws {
        let faults = try load("production", Self.secrets).faults(
            upstreams: [],
            routes: ["ListPeople", "GetPersons", "GetPlanet"].map { "starwars.v1.Characters/\($0)" })
        let path = "\(Repository.environments)/Production.json"
        #expect(
            faults.map(\.description) == [
                "\(path):15:54: cache.methods.starwars.v1.Characters/GetPerson: no schema has the method "
                    + "starwars.v1.Characters/GetPerson; did you mean starwars.v1.Characters/GetPersons?"
            ])
    }
}
