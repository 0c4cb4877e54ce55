/// `heavyweight export`: which scenarios come to tests, and into which files they go.
struct ExportSession {
  let command: ExportCommand

  func run() throws -> ExitStatus {
    let loaded = try LoadedScenarios(at: command.scenarios)
    for problem in loaded.problems { Console.complain(problem.text) }
    if let status = loaded.problems.exitStatus { return status }
    let all = try loaded.scenarios.flatMap { checked in
      try checked.starts.map { start in
        try ExportedScenario(checked, from: start, bundledModel: command.bundle)
      }
    }
    let exported = all.filter { $0.refusal == nil }
    if exported.isEmpty {
      return Console.publish(summary(of: all, in: nil), .failed)
    }
    if let folder = command.package {
      let package = try ExportedPackage(exported)
      try package.write(to: folder, besides: all.compactMap(\.refusal))
      return Console.publish(summary(of: all, in: folder, package.refusals), .passed)
    }
    let path = command.xctest ?? command.swiftTesting ?? ""
    var file = ExportedFile(
      library: command.xctest == nil ? .swiftTesting : .xctest, scenarios: exported)
    file.suite = ExportedFile.suite(in: path)
    file.refusals = all.compactMap(\.refusal)
    file.policies = try exported.flatMap { try $0.policyFiles().flatMap(\.files) }
      .map { ShownPath.of($0.path) }.uniqued()
    try Self.write(file.text, to: URL(fileURLWithPath: path), shownAs: path)
    return Console.publish(summary(of: all, in: path), .passed)
  }

  /// Replaces nothing but what an earlier call wrote.
  static func write(_ text: String, to url: URL, shownAs path: String) throws {
    let manager = FileManager.default
    let old = manager.contents(atPath: url.path).map { String(decoding: $0, as: UTF8.self) }
    if manager.fileExists(atPath: url.path), old?.contains(ExportedFile.mark) != true {
      throw Diagnostics(
        file: path, "this already exists and wasn't exported; nothing is overwritten")
    }
    do { try WholeFile.write(Data(text.utf8), to: url) } catch {
      throw Diagnostics(file: path, "can't be written: \(error.plainText)")
    }
  }

  private func summary(
    of all: [ExportedScenario], in place: String?, _ more: [ExportedScenario.Omission] = []
  ) -> String {
    let refused = all.compactMap(\.refusal) + more
    let omitted = all.filter { $0.refusal == nil }.flatMap(\.omissions)
    let partly = all.count { $0.refusal == nil && !$0.omissions.isEmpty }
    let written = all.count - refused.count
    var lines = omitted.map { "\($0.place): not exported: \($0.what)" }.uniqued()
    lines += refused.map { "\($0.place): the scenario isn't exported: \($0.what)" }
    lines.append(
      "\(written.counted("test")) of \(all.count) written"
        + (place.map { " to \($0)" } ?? "") + (partly > 0 ? ", \(partly) of them in part" : ""))
    return lines.map { $0 + "\n" }.joined()
  }
}
