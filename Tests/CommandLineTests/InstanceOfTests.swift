import Foundation
import TestSupport
import Testing

/// The class that an app's context makes an object of.
@Suite(.tags(.process), .tiered)
struct InstanceOfTests {
  private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()
    .appending(path: "Scenarios/ObjectClasses")
  private let copy: TemporaryFolder

  init() throws {
    copy = try TemporaryFolder()
    try FileManager.default.copyItem(
      at: Self.folder.appending(path: "Policies"), to: copy.url.appending(path: "Policies"))
  }

  /// Runs the shipped scenario with one expectation in the place of another.
  private func run(_ old: String, _ new: String) throws -> (status: Int32, output: String) {
    let text = try String(
      contentsOf: Self.folder.appending(path: "ClassesOfTheResult.scenario.yaml"), encoding: .utf8)
    try #require(text.contains(old))
    try copy.write(text.replacing(old, with: new), to: "Classes.scenario.yaml")
    let result = try Tool.run(["run", "Classes.scenario.yaml"], in: copy)
    return (result.status, result.output + result.errors)
  }

  @Test func aClassThatIsNotFoundIsSaid() throws {
    let (status, output) = try run(
      "Album best: NSManagedObject\n  - at", "Album best: Songs.Song\n  - at")
    #expect(status == 1)
    #expect(
      output.contains(
        """
            Classes.scenario.yaml:31:19: Album best, class
              expected  Songs.Song
              found     NSManagedObject
              the entity's class is 'Songs.Record', which the runtime doesn't find
        """), "\(output)")
  }

  @Test func aSuperclassIsAnotherClass() throws {
    let (status, output) = try run("Song tango: Songs.OwnedSong", "Song tango: Songs.Song")
    #expect(status == 1)
    #expect(output.contains("found     Songs.OwnedSong"), "\(output)")
  }

  @Test func aClassOfNoModuleIsRefused() throws {
    for (wrong, message) in [
      ("Song", "'Song' must be a module and a class, as in 'App.Song', or NSManagedObject"),
      (
        "Son.Song",
        "'policies' has no module 'Son'; modules: Songs; the classes of an app's objects are "
          + "compiled with its policies"
      ),
    ] {
      let (status, output) = try run("Song tango: Songs.OwnedSong", "Song tango: \(wrong)")
      #expect(status == 2)
      #expect(output.contains("Classes.scenario.yaml:28:19: error: \(message)"), "\(output)")
    }
  }
}
