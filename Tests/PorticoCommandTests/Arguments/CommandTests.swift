import PorticoConfig
import Testing

@testable import portico

struct CommandTests {
    private func usageError(_ arguments: [String]) -> String? {
        do {
            _ = try Command(arguments)
            return nil
        } catch {
            return error.message
        }
    }

    @Test(arguments: [[], ["serve"], ["--env", "development"], ["serve", "--env=development"]])
    func withoutACommandItServesDevelopment(arguments: [String]) throws {
        #expect(try Command(arguments) == .serve(ServeCommand()))
    }

    @Test func optionsTakeTheirValueBehindASpaceOrAnEqualsSign() throws {
        let arguments = [
            "serve", "--env=Test", "--set", "a.b=c=d", "--set=e=", "--listen", "unix:/run/p", "--schemas",
            "S",
            "--environments=E",
        ]
        guard case .serve(let command) = try Command(arguments) else {
            Issue.record("not serve")
            return
        }
        #expect(command.environment.environment == "Test")
        #expect(command.environment.schemas == "S")
        #expect(command.environment.environments == "E")
        #expect(
            command.environment.overrides == [
                Override(key: "a.b", value: "c=d"), Override(key: "e", value: ""),
                Override(key: "listen.address", value: "unix:/run/p", option: "--listen"),
            ])
    }

    @Test func behindTwoDashesEverythingIsAnOperand() throws {
        guard case .call(let command) = try Command(["call", "--observe", "a.B/C", "--", "--json"]) else {
            Issue.record("not call")
            return
        }
        #expect(command.method == "a.B/C")
        #expect(command.request == "--json")
        #expect(command.observes)
    }

    @Test(arguments: [
        (["srve"], "no command srve; did you mean serve?"), (["zzz"], "no command zzz"),
        (["--evn", "test"], "unknown option --evn; did you mean --env?"), (["-x"], "unknown option -x"),
        (["check", "--origins"], "unknown option --origins"),
        (["--env"], "--env needs a value: --env NAME"), (["--env="], "--env needs a value: --env NAME"),
        (["--env", "--set"], "--env needs a value: --env NAME"),
        (["--env", "a", "--env", "b"], "--env is given twice"),
        (["config", "--origins=yes"], "--origins takes no value"),
        (["config", "--origins", "--keys"], "--origins and --keys do not go together"),
        (["--set", "x"], "--set takes KEY=VALUE, not x"), (["--set", "=x"], "--set takes KEY=VALUE, not =x"),
        (["call"], "METHOD is missing: package.Service/Method"),
        (["check", "extra"], "unexpected argument extra"),
        (["call", "ListPeople"], "a method is written package.Service/Method, not ListPeople"),
        (
            ["convert", "--message", "a", "--from", "jsn", "--to", "json"],
            "--from takes one of json, ndjson, binary, delimited, not jsn; did you mean json?"
        ),
        (["help", "chek"], "no command chek; did you mean check?"),
    ])
    func whatCannotBeUnderstoodIsSaid(arguments: [String], message: String) {
        #expect(usageError(arguments) == message)
    }

    @Test(arguments: Command.definitions.map(\.name)) func everyCommandHasHelp(name: String) throws {
        for arguments in [[name, "--help"], [name, "-h"], ["help", name]] {
            guard case .help(let text) = try Command(arguments) else {
                Issue.record("no help for \(name)")
                return
            }
            #expect(text.hasPrefix("usage: portico \(name)"))
            let definition = try #require(Command.definitions.first { $0.name == name })
            for option in definition.options { #expect(text.contains("--\(option.name)")) }
        }
    }

    @Test func theOverviewNamesEveryCommand() throws {
        guard case .help(let text) = try Command(["--help"]) else {
            Issue.record("no help")
            return
        }
        for definition in Command.definitions { #expect(text.contains("  \(definition.name) ")) }
    }
}
