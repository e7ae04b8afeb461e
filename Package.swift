// swift-tools-version: 6.2
import PackageDescription

/// The same rules for every target: explicit existentials, explicit imports, memory safety marked where it ends,
/// and no warning left standing.
let rules: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .strictMemorySafety(),
    .treatAllWarnings(as: .error),
]

func module(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
    .target(name: name, dependencies: dependencies, swiftSettings: rules)
}

func tests(of name: String, using others: [Target.Dependency] = []) -> Target {
    .testTarget(
        name: "\(name)Tests", dependencies: [.init(stringLiteral: name), "TestSupport"] + others,
        swiftSettings: rules)
}

let package = Package(
    name: "portico",
    products: [
        .library(name: "PorticoClient", targets: ["PorticoClient"]),
        .executable(name: "portico", targets: ["portico"]),
        .executable(name: "Benchmarks", targets: ["Benchmarks"]),
    ],
    targets: [
        .systemLibrary(name: "CLinux"),
        .systemLibrary(name: "CZlib"),
        module("PorticoWire"),
        module("PorticoSchema", ["PorticoWire"]),
        module("PorticoTranscode", ["PorticoWire", "PorticoSchema"]),
        module("PorticoConfig", ["PorticoSchema", "PorticoTranscode"]),
        module("PorticoEventLoop", ["PorticoWire", "CLinux"]),
        module(
            "PorticoUpstream",
            [
                "PorticoWire", "PorticoSchema", "PorticoTranscode", "PorticoConfig", "PorticoEventLoop",
                "CZlib",
            ]),
        module(
            "PorticoServer",
            [
                "PorticoWire", "PorticoSchema", "PorticoTranscode", "PorticoConfig", "PorticoEventLoop",
                "PorticoUpstream", "CZlib",
            ]),
        module("PorticoClient", ["PorticoWire", "PorticoSchema", "PorticoTranscode", "CLinux"]),
        .executableTarget(
            name: "portico",
            dependencies: [
                "PorticoWire", "PorticoSchema", "PorticoTranscode", "PorticoConfig", "PorticoEventLoop",
                "PorticoUpstream", "PorticoServer", "PorticoClient",
            ],
            swiftSettings: rules),
        .target(name: "CAllocations", path: "Benchmarks/Allocations"),
        .target(name: "CServePeers", path: "Benchmarks/ServePeers"),
        .executableTarget(
            name: "Benchmarks",
            dependencies: [
                "PorticoWire", "PorticoSchema", "PorticoTranscode", "PorticoConfig", "PorticoEventLoop",
                "PorticoUpstream", "PorticoServer", "PorticoClient", "CAllocations", "CServePeers",
            ],
            path: "Benchmarks",
            exclude: ["README.md", "Allocations", "Corpus/corpora.proto", "peers", "ServePeers"],
            swiftSettings: rules),
        .target(name: "TestSupport", path: "Tests/Support", swiftSettings: rules),
        tests(of: "PorticoWire"),
        tests(of: "PorticoSchema", using: ["PorticoWire"]),
        tests(of: "PorticoTranscode", using: ["PorticoWire", "PorticoSchema"]),
        tests(of: "PorticoConfig", using: ["PorticoSchema", "PorticoTranscode"]),
        tests(of: "PorticoEventLoop", using: ["PorticoWire", "CLinux"]),
        tests(
            of: "PorticoUpstream",
            using: ["PorticoWire", "PorticoSchema", "PorticoTranscode", "PorticoConfig", "PorticoEventLoop"]),
        tests(
            of: "PorticoServer",
            using: [
                "PorticoWire", "PorticoSchema", "PorticoTranscode", "PorticoConfig", "PorticoEventLoop",
                "PorticoUpstream",
            ]),
        tests(
            of: "PorticoClient",
            using: [
                "PorticoWire", "PorticoSchema", "PorticoTranscode", "PorticoConfig", "PorticoEventLoop",
                "PorticoUpstream",
                "PorticoServer",
            ]),
        .testTarget(
            name: "PorticoCommandTests",
            dependencies: [
                "portico", "PorticoSchema", "PorticoTranscode", "PorticoConfig", "PorticoWire",
                "PorticoUpstream", "PorticoEventLoop", "PorticoServer", "PorticoClient",
            ],
            swiftSettings: rules),
    ],
    swiftLanguageModes: [.v6]
)
