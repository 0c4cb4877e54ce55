import Foundation
import TestSupport
import Testing

/// A file system of its own that is as large as a test says, in the folder `disk`.
enum SmallDisk {
  /// Runs a script, without apostrophes, beside the disk. It prints `status` with what the tool ended with. Where nobody
  /// may make a file system, the test counts as skipped.
  static func run(
    of size: String, _ script: String, _ arguments: [String], in folder: TemporaryFolder
  ) throws -> Tool.Result {
    let result = try Tool.run(
      script: """
        mkdir disk; exec unshare -rm bash -c '
        mount -t tmpfs -o size=\(size) none disk || exit 99
        \(script)' "$0" "$@"
        """, [try Tool.executable().path] + arguments, in: folder)
    if result.output.contains("status") { return result }
    try Test.cancel("needs the right to mount file systems of its own: \(result.errors)")
  }
}
