import Foundation
import TestSupport

@testable import Commands
@testable import PolicyCompiler
@testable import Scenarios
@testable import Terminal

/// A model with versions in Xcode's format, in a folder of its own.
struct ModelVersions {
  let folder: TemporaryFolder
  private static let name = "App.xcdatamodeld"

  /// - Parameter versions: The elements in each version's model, `App`, `App 2` and so on.
  init(_ versions: String..., current: Int? = nil) throws {
    folder = try TemporaryFolder()
    for (index, elements) in versions.enumerated() {
      try folder.write(
        "<model>\(elements)</model>",
        to: "\(Self.name)/\(Self.name(of: index)).xcdatamodel/contents")
    }
    try folder.write(
      """
      <plist version="1.0"><dict><key>_XCCurrentVersionName</key>
      <string>\(Self.name(of: current ?? versions.count - 1)).xcdatamodel</string></dict></plist>
      """, to: "\(Self.name)/.xccurrentversion")
  }

  private static func name(of index: Int) -> String { index == 0 ? "App" : "App \(index + 1)" }

  var url: URL { folder.url.appending(path: Self.name) }

  func check(mappings: String? = nil, isProgressive: Bool = false) throws -> ModelCheckReport {
    let folders = mappings.map { ["--mappings", folder.url.appending(path: $0).path] } ?? []
    return try CheckCommand.parse(
      [url.path] + folders + (isProgressive ? ["--progressive"] : [])
    ).report(on: [url.path])
  }

  /// The findings as the report has them, without the folder's path.
  func findings(mappings: String? = nil) throws -> [String] {
    try check(mappings: mappings).findings.map {
      $0.line(TextStyle(isColoured: false))
        .replacing(folder.url.standardizedFileURL.path + "/", with: "")
    }
  }
}
