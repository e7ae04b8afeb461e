import Testing

@testable import PorticoConfig

/// The four layers, for every key that there is.
struct EveryKeyTests {
    @Test(arguments: KeyTable.keys.map(\.pattern.text)) func theLastLayerThatGivesAKeyWins(pattern: String)
        throws
    {
        let key = try #require(KeyTable.keys.first { $0.pattern.text == pattern })
        let sample = try #require(KeySample(key), "a kind without a sample: \(key.kindName)")
        let workspace = try Workspace([
            "Base": sample.file(0), "Test": sample.file(1, extending: "Base"),
            "Heir": sample.fileWithout(extending: "Test"),
        ])
        let variable = [key.pattern.variable(sample.names): sample.values[2].text]
        let option = [sample.key: sample.values[3].text]
        #expect(try value(of: sample, is: 0, in: workspace.load("base")))
        #expect(try value(of: sample, is: 1, in: workspace.load("test")))
        #expect(try value(of: sample, is: 1, in: workspace.load("heir")))
        #expect(try value(of: sample, is: 2, in: workspace.load("heir", variables: variable)))
        #expect(try value(of: sample, is: 3, in: workspace.load("heir", variables: variable, set: option)))
        let loaded = try workspace.load("heir", variables: variable, set: option)
        #expect(loaded.origin(of: sample.key) == .option("--set"))
    }

    private func value(of sample: KeySample, is number: Int, in loaded: LoadedConfiguration) throws -> Bool {
        var expected = loaded.configuration
        try sample.definition.write(
            RawValue(form: .text(sample.values[number].text)), sample.names, &expected)
        return sample.definition.isSame(loaded.configuration, expected, sample.names)
    }
}
