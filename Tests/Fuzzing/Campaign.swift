import Foundation
import Synchronization

/// Fuzzes one target in processes of its own, for some minutes.
struct Campaign {
  let target: String
  let seed: UInt64
  let minutes: Double
  let found: URL

  struct Outcome: CustomStringConvertible, Sendable {
    let target: String
    var inputs: UInt64 = 0
    var seconds = 0.0
    var findings: [String] = []

    var description: String {
      let head = "\(target): \(inputs) inputs in \(Int(seconds)) s, \(findings.count) findings"
      return ([head] + findings.map { "  \($0)" }).joined(separator: "\n")
    }
  }

  func run() -> Outcome {
    var outcome = Outcome(target: target)
    let began = Date()
    let end = began.addingTimeInterval(minutes * 60)
    var next = seed
    while Date() < end {
      guard let folder = try? Self.folder() else { break }
      defer { try? FileManager.default.removeItem(at: folder) }
      let seconds = end.timeIntervalSinceNow
      let arguments = [
        "child", target, "--seed", "\(next)", "--seconds", "\(seconds)", "--folder", folder.path,
      ]
      let ending = ChildProcess(arguments, in: folder).run()
      guard let reached = Self.number(in: folder) else {
        outcome.findings.append("it can't begin: \(ending.problem ?? "no input")")
        break
      }
      outcome.inputs += reached - next + 1
      next = reached + 1
      if let problem = ending.problem {
        let kept = keep(folder.appending(path: ChildFiles.input), number: reached)
        outcome.findings.append("input \(reached): \(problem), kept in \(kept)")
        if outcome.findings.count == 20 { break }
      }
    }
    outcome.seconds = Date().timeIntervalSince(began)
    return outcome
  }

  /// Plays one kept input.
  /// - Returns: What is wrong; nil when nothing is.
  static func play(_ target: String, file: URL) -> String? {
    guard let folder = try? folder() else { return "no temporary folder" }
    defer { try? FileManager.default.removeItem(at: folder) }
    let arguments = ["child", target, "--folder", folder.path, "--file", file.path]
    return ChildProcess(arguments, in: folder).run().problem
  }

  private static func folder() throws -> URL {
    let folder = FileManager.default.temporaryDirectory.appending(path: "fuzz-\(UUID().uuidString)")
    try FileManager.default.createDirectory(
      at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    return folder
  }

  private static func number(in folder: URL) -> UInt64? {
    let text = try? String(contentsOf: folder.appending(path: ChildFiles.number), encoding: .utf8)
    return text.flatMap { UInt64($0) }
  }

  private func keep(_ input: URL, number: UInt64) -> String {
    let place = found.appending(path: target)
    let file = place.appending(path: "\(number)")
    do {
      try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
      if FileManager.default.fileExists(atPath: file.path) {
        try FileManager.default.removeItem(at: file)
      }
      try FileManager.default.copyItem(at: input, to: file)
      return file.relativePath
    } catch { return "nothing, since \(error.localizedDescription)" }
  }
}

/// A child that is watched: it ends by itself, or is ended when it gets nowhere.
struct ChildProcess {
  private let process = Process()
  private let folder: URL

  struct Ending {
    /// What was wrong; nil for a good end.
    var problem: String?
  }

  init(_ arguments: [String], in folder: URL) {
    self.folder = folder
    process.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
    process.arguments = arguments
    process.environment = ProcessInfo.processInfo.environment.merging([
      "TMPDIR": folder.path, "HOME": folder.path, "SWIFT_BACKTRACE": "enable=no",
    ]) { $1 }
  }

  func run() -> Ending {
    let errors = folder.appending(path: "errors")
    guard FileManager.default.createFile(atPath: errors.path, contents: nil),
      let handle = try? FileHandle(forWritingTo: errors)
    else { return Ending(problem: "no file for errors") }
    process.standardOutput = FileHandle.nullDevice
    process.standardInput = FileHandle.nullDevice
    process.standardError = handle
    do { try process.run() } catch {
      return Ending(problem: "can't be started: \(error.localizedDescription)")
    }
    let hangs = watch()
    process.waitUntilExit()
    if hangs { return Ending(problem: "no answer for \(Int(ResourceLimits.patience)) s") }
    let lines = (try? String(contentsOf: errors, encoding: .utf8))?.split(separator: "\n") ?? []
    let told = ["finding: ", "Fatal error", "ondition failed"]
    let last = lines.last { line in told.contains { line.contains($0) } } ?? lines.last
    switch (process.terminationReason, process.terminationStatus) {
    case (.exit, 0): return Ending()
    case (.exit, let status): return Ending(problem: "\(last ?? "it ended with \(status)")")
    case (_, let signal):
      return Ending(problem: "signal \(signal)" + (last.map { ": \($0)" } ?? ""))
    }
  }

  /// - Returns: Whether the child had to be ended.
  private func watch() -> Bool {
    let began = Date()
    while process.isRunning {
      Thread.sleep(forTimeInterval: 0.05)
      let path = folder.appending(path: ChildFiles.number).path
      let changed =
        (try? FileManager.default.attributesOfItem(atPath: path))?[.modificationDate] as? Date
      if Date().timeIntervalSince(changed ?? began) > ResourceLimits.patience {
        kill(process.processIdentifier, SIGKILL)
        return true
      }
    }
    return false
  }
}

final class Outcomes: Sendable {
  private let list = Mutex<[Campaign.Outcome]>([])
  var all: [Campaign.Outcome] { list.withLock { $0 } }
  func add(_ outcome: Campaign.Outcome) { list.withLock { $0.append(outcome) } }
}
