/// The folder of one run's files.
package struct RunFolder {
  let url: URL
  private let isKept: Bool

  /// A fresh folder: in `keep`, named after the run, replacing that of an earlier run; or a
  /// temporary one.
  init(for id: RunID, keptIn keep: URL?) throws {
    isKept = keep != nil
    if let keep {
      url = keep.appending(path: Self.keptPath(of: id.address, start: id.start))
      // Where it can't be removed, making it anew says so.
      try? FileManager.default.removeItem(at: url)
      try PrivateFolder.make(url)
    } else {
      url = try TemporaryFiles.makeFolder(in: Self.temporaryParent)
    }
  }

  /// Where the stores of a run lie in the folder of those that are kept: in folders as the scenario's
  /// own, since files in different folders may have one name.
  ///
  /// The suffix makes sure that only folders of runs are ever replaced.
  static func keptPath(of address: ScenarioAddress, start: String) -> String {
    let path = address.path
    let place = ShownPath.of(URL(fileURLWithPath: path))
    let shown = place.hasPrefix("/") ? outside + place : place
    let bare = ScenarioFinder.suffixes.reduce(shown) {
      $0.hasSuffix($1) ? String($0.dropLast($1.count)) : $0
    }
    let parts = bare.split(separator: "/").map { safe(String($0)) }
    let number = address.number.map { ".\($0)" } ?? ""
    return parts.joined(separator: "/") + "\(number).\(safe(start)).run"
  }

  /// The folder for scenarios from outside of the working folder.
  private static let outside = "-"

  /// The environment variable by which a process that runs foreign code, and has a `TMPDIR` of its own, knows the
  /// other one's ``temporaryParent``.
  static let variable = "HEAVYWEIGHT_RUNS"

  /// Stores that nobody keeps needn't reach a disk, which takes most of a small run's time.
  package static let temporaryParent: URL = {
    if let told = ProcessInfo.processInfo.environment[variable] {
      return URL(fileURLWithPath: told, isDirectory: true)
    }
    let memory = URL(fileURLWithPath: "/dev/shm", isDirectory: true)
    let isChosen = ProcessInfo.processInfo.environment["TMPDIR"] != nil
    if !isChosen, FileManager.default.isWritableFile(atPath: memory.path) { return memory }
    return FileManager.default.temporaryDirectory
  }()

  private static func safe(_ text: String) -> String {
    String(text.map { $0 == "/" || $0 == ":" ? "-" : $0 })
  }

  func removeUnlessKept() {
    if !isKept { TemporaryFiles.removeFolder(url) }
  }
}
