// swift-tools-version: 6.3
import PackageDescription

/// The commit that is built: `./ci.sh` says it. SwiftPM's own `Context.gitInformation` is kept from build to build, and
/// so is that of an earlier commit.
let commit = Context.environment["HEAVYWEIGHT_COMMIT"] ?? ""

/// The engine's release build leaves out the checks of exclusive access, which cost policies a seventh to a fifth of all
/// instructions. Debug builds have them, which is what tests and sanitizers run.
let engine: [SwiftSetting] = [
  .unsafeFlags(["-enforce-exclusivity=unchecked"], .when(configuration: .release))
]

let package = Package(
  name: "heavyweight",
  products: [
    .executable(name: "heavyweight", targets: ["heavyweight"])
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0"),
    .package(url: "https://github.com/apple/swift-collections", from: "1.6.0"),
    .package(url: "https://github.com/jpsim/Yams", from: "6.2.0"),
    .package(url: "https://github.com/swiftlang/swift-subprocess", from: "1.0.0"),
  ],
  targets: [
    // System libraries.
    .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
    .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),

    // Digests, optimized also for debugging: they are made of whole files.
    .target(name: "CDigest", cSettings: [.unsafeFlags(["-O2"])]),

    // Confining a process: system calls that Swift can't make.
    .target(name: "CSandbox"),

    // What a build puts into the tool: its commit, schemas and texts.
    .target(
      name: "CBuildInfo", cSettings: [.define("HEAVYWEIGHT_COMMIT", to: "\"\(commit)\"")]),

    // The layers, lowest first; each imports only those above it in this list.
    .target(
      name: "ObjectModel",
      dependencies: ["CDigest", "CZlib"],
      swiftSettings: engine),
    .target(name: "Predicates", dependencies: ["ObjectModel"], swiftSettings: engine),
    .target(
      name: "Persistence",
      dependencies: [
        "ObjectModel", "Predicates", "CSQLite",
        .product(name: "OrderedCollections", package: "swift-collections"),
      ], swiftSettings: engine),
    .target(
      name: "Migration", dependencies: ["ObjectModel", "Predicates", "Persistence"],
      swiftSettings: engine),
    .target(name: "CoreDataNames", dependencies: ["Migration"], swiftSettings: engine),

    // What apps get of Apple's other frameworks.
    .target(name: "ArchivedValues"),
    .target(name: "OSNames", dependencies: ["CoreDataNames"]),
    .target(name: "CombineNames", dependencies: ["CoreDataNames"]),
    .target(name: "UIKitNames", dependencies: ["ArchivedValues", "CoreDataNames"]),
    .target(name: "AppKitNames", dependencies: ["ArchivedValues", "CoreDataNames"]),

    // The harness, lowest first.
    .target(name: "Terminal", dependencies: ["Migration", "CBuildInfo"]),
    .target(
      name: "PolicyCompiler",
      dependencies: [
        "Terminal", "CoreDataNames", "OSNames", "CombineNames", "UIKitNames", "AppKitNames",
        .product(name: "Subprocess", package: "swift-subprocess"),
      ]),
    .target(
      name: "Scenarios",
      dependencies: [
        "PolicyCompiler", "CSandbox",
        .product(name: "Yams", package: "Yams"),
      ]),
    // One folder a command: its options, what it does and its reports.
    .target(
      name: "Commands",
      dependencies: [
        "CBuildInfo", "Scenarios",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "Subprocess", package: "swift-subprocess"),
      ],
      exclude: ["explanations.md", "exported.txt", "page.css", "page.js"].map { "Resources/\($0)" }
    ),
    .executableTarget(
      name: "heavyweight", dependencies: ["Commands"],
      // Compiled policies resolve the engine's symbols in this executable when it loads them.
      linkerSettings: [.unsafeFlags(["-Xlinker", "--export-dynamic"])]),

    // Tests, one target per module.
    .target(
      name: "TestSupport", dependencies: ["ObjectModel"], path: "Tests/TestSupport"),
    .testTarget(
      name: "ObjectModelTests", dependencies: ["ObjectModel", "TestSupport", "CSQLite"]),
    .testTarget(name: "PredicatesTests", dependencies: ["Predicates", "TestSupport", "CSQLite"]),
    // A backend written outside of Persistence, which the next two test beside the two in it.
    .target(
      name: "DictionaryStore", dependencies: ["Persistence"], path: "Tests/DictionaryStore"),
    .testTarget(
      name: "PersistenceTests", dependencies: ["DictionaryStore", "Persistence", "TestSupport"]),
    .testTarget(
      name: "MigrationTests", dependencies: ["DictionaryStore", "Migration", "TestSupport"]),
    // Wrong, damaged and malicious input for all that is read; run by `./ci.sh fuzz`.
    .executableTarget(
      name: "fuzz",
      dependencies: [
        "CSQLite", "Commands", "TestSupport",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      path: "Tests/Fuzzing", exclude: ["Found"],
      linkerSettings: [.unsafeFlags(["-Xlinker", "--export-dynamic"])]),
    .testTarget(
      name: "HarnessTests",
      dependencies: ["Commands", "TestSupport"],
      exclude: ["AppCode"],
      linkerSettings: [.unsafeFlags(["-Xlinker", "--export-dynamic"])]),
    .testTarget(
      name: "CorpusTests", dependencies: ["Commands", "TestSupport"], exclude: ["Policies"],
      linkerSettings: [.unsafeFlags(["-Xlinker", "--export-dynamic"])]),
    .testTarget(
      name: "CommandLineTests",
      dependencies: ["CSQLite", "Commands", "fuzz", "heavyweight", "TestSupport"],
      linkerSettings: [.unsafeFlags(["-Xlinker", "--export-dynamic"])]),
  ]
)

// SwiftPM builds the tools of all plugins before anything else, wanted or not: `./ci.sh` says where only the tool is.
if Context.environment["HEAVYWEIGHT_BENCHMARKS"] != "no" {
  package.dependencies.append(
    .package(url: "https://github.com/ordo-one/benchmark", from: "1.38.0", traits: []))
  // Run by `swift package benchmark`.
  package.targets += [
    .executableTarget(
      name: "TagsBenchmark",
      dependencies: ["Commands", .product(name: "Benchmark", package: "benchmark")],
      path: "Benchmarks/TagsBenchmark",
      linkerSettings: [.unsafeFlags(["-Xlinker", "--export-dynamic"])],
      plugins: [.plugin(name: "BenchmarkPlugin", package: "benchmark")]),
    .executableTarget(
      name: "HotPathsBenchmark",
      dependencies: ["Commands", .product(name: "Benchmark", package: "benchmark")],
      path: "Benchmarks/HotPathsBenchmark",
      plugins: [.plugin(name: "BenchmarkPlugin", package: "benchmark")]),
  ]
}

// An import serves its file alone, and each file says whose members it uses.
for target in package.targets where target.path == nil && ![.system, .test].contains(target.type) {
  target.swiftSettings =
    (target.swiftSettings ?? []) + [
      .enableUpcomingFeature("InternalImportsByDefault"),
      .enableUpcomingFeature("MemberImportVisibility"),
    ]
}
