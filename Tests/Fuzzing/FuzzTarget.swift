import Foundation
import TestSupport

/// A part of the product that reads what somebody else wrote.
protocol FuzzTarget: SendableMetatype {
  /// As the command line names it.
  static var name: String { get }
  /// The folder in which it may write.
  init(folder: URL) throws

  /// Good inputs, from which others are made.
  var seeds: [Data] { get }
  /// Pieces that mean something in the format.
  var words: [String] { get }
  /// A new input by the format's grammar; nil to have a seed changed.
  func input(_ random: inout RandomSource) -> Data?
  /// Has the product read an input. An error is a good answer.
  /// - Throws: ``Finding`` for a bad one.
  func play(_ input: Data) throws
}

extension FuzzTarget {
  var words: [String] { [] }
  func input(_ random: inout RandomSource) -> Data? { nil }
}

/// Something that the product must not do.
struct Finding: Error, CustomStringConvertible {
  let description: String
  init(_ description: String) { self.description = description }
}

enum FuzzTargets {
  static let all: [any FuzzTarget.Type] = [
    FormatTarget.self, ScenarioTarget.self, ModelTarget.self, MappingTarget.self,
    ArchiveTarget.self, StoreTarget.self,
  ]

  static func named(_ name: String) -> (any FuzzTarget.Type)? {
    (all + [BrittleTarget.self]).first { $0.name == name }
  }
}

/// The project's own files, which seeds are taken from.
enum Samples {
  static let package = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  /// The files below `Scenarios` whose paths end so, shortest first: a few kilobytes at most, so that
  /// there is something to be changed in every part of them.
  static func files(endingWith suffix: String, upTo size: Int = 8_000) -> [Data] {
    let folder = package.appending(path: "Scenarios")
    let paths =
      FileManager.default.enumerator(atPath: folder.path)?
      .compactMap { $0 as? String }.filter { $0.hasSuffix(suffix) }.sorted() ?? []
    return paths.compactMap { FileManager.default.contents(atPath: folder.path + "/" + $0) }
      .filter { $0.count <= size }.sorted { $0.count < $1.count }
  }
}
