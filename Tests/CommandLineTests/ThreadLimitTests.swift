import Foundation
import TestSupport
import Testing

/// A limit on processes counts threads, too, and who waits for work that no thread does would wait for
/// ever.
@Suite(.tags(.process), .tiered)
struct ThreadLimitTests {
  /// Runs a command as somebody whom limits concern, as root they don't.
  private static let asNobody = "setpriv --reuid=65534 --regid=65534 --clear-groups"

  private static func canBeNobody() -> Bool {
    guard let tool = try? Tool.executable().path, let folder = try? TemporaryFolder() else {
      return false
    }
    let look = "\(asNobody) prlimit --nproc=100 test -x '\(tool)'"
    return (try? Tool.run(script: look, [], in: folder).status) == 0
  }

  @Test(
    .enabled("root, setpriv, prlimit and a build that others may read are needed") {
      canBeNobody()
    },
    arguments: [1, 2, 3, 4, 5, 6, 8, 10, 12, 14, 17, 20, 60])
  func aRunEndsHoweverFewThreadsThereAre(limit: Int) throws {
    let folder = try TemporaryFolder()
    try folder.write(LibraryScenario.passing, to: "Library.scenario.yaml")
    try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: folder.url.path)
    let script = """
      export HOME="$PWD" TMPDIR="$PWD"
      timeout -k 5 120 \(Self.asNobody) prlimit --nproc=$1 "$0" run Library.scenario.yaml --no-cache
      """
    let result = try Tool.run(
      script: script, [try Tool.executable().path, "\(limit)"], in: folder)
    let ended = "\(limit): \(result.status) \(result.output)\(result.errors)"
    #expect(result.status != 124 && result.status != 137, "\(ended)")
    if result.status == 0 {
      #expect(result.output.contains("2 passed"), "\(ended)")
    } else {
      #expect(!(result.output + result.errors).isEmpty, "\(ended)")
    }
    if limit == 1 { #expect(result.errors.hasPrefix("no thread can be started: "), "\(ended)") }
    if limit == 60 { #expect(result.status == 0, "\(ended)") }
  }
}
