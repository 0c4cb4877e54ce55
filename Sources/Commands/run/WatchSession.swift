/// `heavyweight run --watch`: runs scenarios again as soon as a file that they read has changed.
struct WatchSession {
  let paths: [String]
  private static let secondsBetween = 0.3

  /// Runs until the process is ended.
  /// - Parameter play: Runs the scenarios at some paths, and tells what came of it.
  /// - Throws: ``Diagnostics`` for paths that aren't there.
  func run(_ play: ([String]) async throws -> Void) async throws {
    var known = try WatchedScenarios(at: paths)
    try await play(paths)
    while true {
      Console.complain("watching \(known.fileCount.counted("file")); Control-C ends it")
      let changed: [String]
      (changed, known) = try await known.change(at: paths, every: Self.secondsBetween)
      Console.complain("")
      if !changed.isEmpty { try await play(changed) }
    }
  }
}

/// The files that scenarios read, as they were at one moment.
private struct WatchedScenarios {
  /// When a file was changed, and how long it is.
  private struct Stamp: Equatable {
    let seconds: Int
    let nanoseconds: Int
    let size: Int

    init?(_ path: String) {
      var status = stat()
      guard stat(path, &status) == 0 else { return nil }
      (seconds, nanoseconds) = (status.st_mtim.tv_sec, status.st_mtim.tv_nsec)
      size = Int(status.st_size)
    }
  }

  /// By the address of a scenario or a file of them, what each of its files was like.
  private let stamps: [String: [String: Stamp]]

  init(at paths: [String]) throws {
    stamps = try ScenarioFinder.addresses(at: paths).reduce(into: [:]) { stamps, address in
      stamps["\(address)"] = Self.files(of: address).reduce(into: [:]) { $0[$1] = Stamp($1) }
    }
  }

  var fileCount: Int { Set(stamps.values.flatMap(\.keys)).count }

  /// All files that playing scenarios reads; only their own where it can't be read itself.
  private static func files(of address: ScenarioAddress) -> Set<String> {
    guard let scenarios = try? CheckedScenario.loadAll(at: address),
      let read = try? scenarios.map({ try $0.filesForSandbox().read })
    else { return [address.path] }
    return Set([address.path] + Set(read.joined()).flatMap(filesBelow))
  }

  /// A file, or what is in a folder.
  private static func filesBelow(_ path: String) -> [String] {
    guard case .folder = FileKind(of: URL(fileURLWithPath: path)) else { return [path] }
    let names = FileManager.default.enumerator(atPath: path)?.compactMap { $0 as? String } ?? []
    return names.map { path + "/" + $0 }
  }

  /// Waits for a change, and until all is written.
  /// - Returns: The scenarios that are to be run again, and how all is then.
  func change(
    at paths: [String], every seconds: Double
  ) async throws -> (changed: [String], now: WatchedScenarios) {
    var before = self
    while true {
      try await Task.sleep(for: .seconds(seconds))
      let scenarios = try ScenarioFinder.addresses(at: paths).map { "\($0)" }
      if before.isStale || Set(scenarios) != Set(before.stamps.keys) {
        before = try WatchedScenarios(at: paths)
        continue
      }
      if before.stamps != stamps { return (before.changed(since: self), before) }
    }
  }

  /// Whether a file isn't as it was.
  private var isStale: Bool {
    stamps.values.contains { files in files.contains { Stamp($0.key) != $0.value } }
  }

  private func changed(since earlier: WatchedScenarios) -> [String] {
    stamps.filter { earlier.stamps[$0.key] != $0.value }.keys.sorted()
  }
}
