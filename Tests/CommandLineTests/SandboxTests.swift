import Foundation
import TestSupport
import Testing

enum SandboxPresence {
  static let isThere: Bool = {
    guard let folder = try? TemporaryFolder(),
      let tried = try? Tool.run(["run", "--sandbox", "none"], in: folder)
    else { return true }
    return !tried.errors.contains("can't be confined")
  }()
}

/// In `--sandbox` a policy reaches nothing but the folders that are its own, and harmless ones are none the
/// wiser.
@Suite(
  .enabled(if: SandboxPresence.isThere, "this system has no Landlock or no seccomp"),
  .tags(.process), .tiered)
struct SandboxTests {
  /// What a hostile policy tries; each line is told if it succeeds.
  private static func attempts(_ outside: String) -> String {
    """
    import CoreData
    import Glibc

    private let outside = "\(outside)"

    private func attempt(_ what: String, _ body: () throws -> Bool) {
      if (try? body()) == true { print("REACHED", what) }
    }

    private func spawn(_ arguments: String..., waits: Bool) -> Bool {
      var process: pid_t = 0
      var words = arguments.map { strdup($0) } + [nil]
      guard posix_spawn(&process, "/bin/sh", nil, nil, &words, nil) == 0 else { return false }
      var status: Int32 = 0
      if waits { waitpid(process, &status, 0) }
      return status == 0
    }

    class AppPolicy: NSEntityMigrationPolicy {
      override func begin(_ mapping: NSEntityMapping, with manager: NSMigrationManager) throws {
        let files = FileManager.default
        for place in ["\\(outside)/new", "/tmp/\\(UUID().uuidString)", "/dev/shm/\\(UUID().uuidString)"] {
          attempt("a new file: \\(place)") {
            defer { unlink(place) }
            try Data("x".utf8).write(to: URL(fileURLWithPath: place))
            return true
          }
        }
        for file in ["/etc/passwd", "\\(outside)/secret", "\\(outside)/A.scenario.yaml.bak"] {
          attempt("the content of \\(file)") { try !Data(contentsOf: URL(fileURLWithPath: file)).isEmpty }
        }
        for folder in ["\\(outside)", "/", "/etc", "/home", "/proc"] {
          attempt("the names in \\(folder)") { try !files.contentsOfDirectory(atPath: folder).isEmpty }
        }
        let own = NSTemporaryDirectory() + "/" + UUID().uuidString
        try files.createDirectory(atPath: own, withIntermediateDirectories: true)
        defer { try? files.removeItem(atPath: own) }
        attempt("a link out") {
          try files.createSymbolicLink(atPath: own + "/link", withDestinationPath: "/etc/passwd")
          return true
        }
        attempt("a second name") { link("\\(outside)/secret", own + "/secret") == 0 }
        attempt("a pipe") { mkfifo(own + "/pipe", 0o600) == 0 }
        attempt("a file removed") { unlink("\\(outside)/victim") == 0 }
        attempt("a file renamed") { rename("\\(outside)/victim", own + "/victim") == 0 }
        attempt("a file cut off") { truncate("\\(outside)/victim", 0) == 0 }
        attempt("the scenario changed") {
          try Data("x".utf8).write(to: URL(fileURLWithPath: "\\(outside)/A.scenario.yaml"))
          return true
        }
        chmod("\\(outside)/victim", 0o777)
        let handle = open("\\(outside)/Policy.swift", O_RDONLY)
        fchmod(handle, 0o777)
        attempt("the network") { socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0) >= 0 }
        attempt("a local socket") { socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0) >= 0 }
        attempt("a signal to another process") { kill(getppid(), 0) == 0 }
        attempt("the parent's variables") {
          try !Data(contentsOf: URL(fileURLWithPath: "/proc/\\(getppid())/environ")).isEmpty
        }
        attempt("a secret variable") { getenv("SECRET_TOKEN") != nil }
        attempt("another session") { setsid() >= 0 }
        attempt("a program that writes") {
          spawn("sh", "-c", "echo x > \\(outside)/by-program", waits: true)
        }
        _ = spawn("sh", "-c", "sleep 98765", waits: false)
        try Data("x".utf8).write(to: URL(fileURLWithPath: own + "/fine"))
        try files.copyItem(atPath: own + "/fine", toPath: own + "/copy")
        try Data("x".utf8).write(to: files.homeDirectoryForCurrentUser.appendingPathComponent(".heavyweight-fine"))
        try files.removeItem(at: files.homeDirectoryForCurrentUser.appendingPathComponent(".heavyweight-fine"))
        print("its own folders are there")
      }
    }

    """
  }

  private static let scenario = """
    scenario: A policy
    models:
      v1: { Event: { name: string } }
      v2: { Event: { name: string, length: int64? } }
    policies: { module: App, sources: Policy.swift }
    seed: { Event: [{ id: first, name: fine }, { id: second, name: other }] }
    chain:
      - v1 -> v2:
          EventToEvent: { source: Event, destination: Event, policy: App.AppPolicy }
    expect:
      - count: { Event: 2 }

    """

  private func place(_ policy: (String) -> String) throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    try folder.write(policy(folder.url.path), to: "Policy.swift")
    try folder.write(Self.scenario, to: "A.scenario.yaml")
    return folder
  }

  private static func harmless(_ folder: String) -> String {
    """
    import CoreData

    class AppPolicy: NSEntityMigrationPolicy {
      override func createDestinationInstances(
        forSource sInstance: NSManagedObject, in mapping: NSEntityMapping,
        manager: NSMigrationManager
      ) throws {
        try super.createDestinationInstances(forSource: sInstance, in: mapping, manager: manager)
        let results = manager.destinationInstances(
          forEntityMappingName: mapping.name, sourceInstances: [sInstance])
        results.first?.setValue((sInstance.value(forKey: "name") as? String)?.count, forKey: "length")
      }
    }

    """
  }

  @Test func aHostilePolicyReachesNothing() throws {
    let folder = try place(Self.attempts)
    for name in ["secret", "victim", "A.scenario.yaml.bak"] {
      try folder.write("customer", to: name)
    }
    let before = try contents(folder)
    let run = try Tool.run(
      script: "export SECRET_TOKEN=x; \"$0\" \"$@\"",
      [
        try Tool.executable().path, "run", "A.scenario.yaml", "--sandbox", "--verbose", "--json",
        "-",
      ], in: folder)
    #expect(run.status == 0, "\(run.output)")
    #expect(run.output.contains("its own folders are there"), "\(run.output)")
    #expect(!run.output.contains("REACHED"), "\(run.output)")
    #expect(try contents(folder) == before)
    #expect(try !processes().contains { $0.contains("98765") })
  }

  /// Without the sandbox the same policy does all that: what the test above sees is the sandbox's doing.
  @Test func withoutItAPolicyDoesWhatItsAuthorCould() throws {
    let folder = try place {
      Self.attempts($0).replacing("sleep 98765", with: "true")
    }
    for name in ["secret", "victim"] { try folder.write("customer", to: name) }
    let run = try Tool.run(
      ["run", "A.scenario.yaml", "--backend", "memory", "--json", "-"], in: folder)
    for what in [
      "a new file", "the content of \(folder.url.path)/secret", "a link out", "the network",
      "a program that writes",
    ] {
      #expect(run.output.contains("REACHED \(what)"), "\(what) in \(run.output)")
    }
  }

  private func contents(_ folder: TemporaryFolder) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.url.path).sorted().map { name in
      let file = folder.url.appending(path: name)
      let mode = try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions]
      return try "\(name) \(mode ?? "") \(Data(contentsOf: file))"
    }
  }

  private func processes() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: "/proc").filter { Int($0) != nil }.map {
      // One that has ended meanwhile has none.
      (try? String(contentsOfFile: "/proc/\($0)/cmdline", encoding: .utf8)) ?? ""
    }
  }

  @Test func aHarmlessPolicyPassesOnBothBackends() throws {
    let folder = try place(Self.harmless)
    let run = try Tool.run(["run", "A.scenario.yaml", "--sandbox", "--keep", "kept"], in: folder)
    #expect(run.status == 0, "\(run.output)")
    #expect(run.output.contains("memory") && run.output.contains("sqlite"))
  }

  /// What is compiled outside must be what is looked for inside, whatever the paths look like.
  @Test func policiesMayBeInAnotherFolder() throws {
    let folder = try place(Self.harmless)
    try folder.write(
      Self.scenario.replacing("sources: Policy.swift", with: "sources: ../Policy.swift"),
      to: "Scenarios/B.scenario.yaml")
    let run = try Tool.run(["run", "Scenarios", "--sandbox"], in: folder)
    #expect(run.status == 0, "\(run.output)\(run.errors)")
  }

  @Test func everyCommandThatPlaysCanBeConfined() throws {
    let folder = try place(Self.harmless)
    try folder.write(
      Self.scenario.replacing(#/policies:.*\n/#, with: "")
        .replacing(#/chain:(.|\n)*expect/#, with: "chain: []\nexpect"), to: "Store.scenario.yaml")
    let seeded = try Tool.run(
      ["run", "Store.scenario.yaml", "--backend", "sqlite", "--keep", "kept"], in: folder)
    #expect(seeded.status == 0, "\(seeded.output)")
    let store = "kept/Store.v1.run/store.sqlite"
    try FileManager.default.createDirectory(
      at: folder.url.appending(path: "result"), withIntermediateDirectories: true)
    let migrate = ["migrate", store, "--scenario", "A.scenario.yaml", "-o"]
    let plain = try Tool.run(migrate + ["result/plain.sqlite"], in: folder)
    let confined = try Tool.run(migrate + ["result/confined.sqlite", "--sandbox"], in: folder)
    #expect(plain.status == 0 && confined.status == 0, "\(confined.output)\(confined.errors)")
    #expect(confined.output.contains("confined.sqlite is of version v2"))
    #expect(
      try FileManager.default.contentsOfDirectory(
        atPath: folder.url.appending(path: "result").path
      ).sorted() == ["confined.sqlite", "plain.sqlite"])
    let same = try Tool.run(["diff", "result/plain.sqlite", "result/confined.sqlite"], in: folder)
    #expect(same.status == 0, "\(same.output)")
    let again = try Tool.run(migrate + ["result/confined.sqlite", "--sandbox"], in: folder)
    #expect(again.status == 2 && again.errors.contains("already exists"), "\(again.errors)")
    let crash = try Tool.run(
      ["crash", "A.scenario.yaml", "--at", "every", "20", "--faults", "kill,eio", "--sandbox"],
      in: folder)
    #expect(crash.status == 0, "\(crash.output)\(crash.errors)")
    let bench = try Tool.run(
      [
        "bench", "A.scenario.yaml", "--objects", "10", "--samples", "1", "--warmup", "0",
        "--sandbox",
      ], in: folder)
    #expect(bench.status == 0, "\(bench.errors)")
  }

  @Test func aMigrationThatFailsInTheSandboxLeavesNothing() throws {
    let folder = try place {
      Self.harmless($0).replacing("results.first?", with: "fatalError(\"no\"); results.first?")
    }
    try folder.write(
      Self.scenario.replacing(#/policies:.*\n/#, with: "")
        .replacing(#/chain:(.|\n)*expect/#, with: "chain: []\nexpect"), to: "Store.scenario.yaml")
    _ = try Tool.run(
      ["run", "Store.scenario.yaml", "--backend", "sqlite", "--keep", "kept"], in: folder)
    try FileManager.default.createDirectory(
      at: folder.url.appending(path: "result"), withIntermediateDirectories: true)
    let failed = try Tool.run(
      [
        "migrate", "kept/Store.v1.run/store.sqlite", "--scenario", "A.scenario.yaml", "-o",
        "result/new.sqlite", "--sandbox",
      ], in: folder)
    #expect(failed.status == 1, "\(failed.output)\(failed.errors)")
    #expect(failed.output.contains("Fatal error: no"), "\(failed.output)")
    #expect(
      try FileManager.default.contentsOfDirectory(
        atPath: folder.url.appending(path: "result").path
      ) == [])
  }

  @Test func whatCantBeConfinedIsRefused() throws {
    let folder = try place(Self.harmless)
    let run = try Tool.run(["run", "A.scenario.yaml", "--sandbox", "--in-process"], in: folder)
    #expect(run.status == 2 && run.errors.contains("leave out --sandbox"))
  }
}
