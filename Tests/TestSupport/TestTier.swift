import Foundation
import Testing

// What tests take. A test without any of these tags is of the tier `unit`: it needs nothing but this process.

extension Tag {
  /// Starts other processes, for the most part the command-line tool.
  @Tag public static var process: Self
  /// Compiles Swift files.
  @Tag public static var compiles: Self
  /// Reads real models and stores of public apps.
  @Tag public static var corpus: Self
  /// Plays hundreds of random cases.
  @Tag public static var random: Self
}

/// Leaves a test out where `HEAVYWEIGHT_TIER` doesn't name its tags: it is a list with commas, `unit` for
/// none of them. `swift test` itself has no option for tags.
public struct TieredTrait: TestTrait, SuiteTrait {
  public var isRecursive: Bool { true }

  /// The tags that are wanted; nil for all.
  private static let wanted = ProcessInfo.processInfo.environment["HEAVYWEIGHT_TIER"].map {
    Set($0.split(separator: ",").map(String.init))
  }

  /// Whether tests of a tag are wanted.
  static func isWanted(_ tag: String) -> Bool { wanted?.contains(tag) ?? true }

  public func prepare(for test: Test) async throws {
    let tags = [
      (Tag.process, "process"), (.compiles, "compiles"), (.corpus, "corpus"), (.random, "random"),
    ]
    let isWanted = tags.allSatisfy { !test.tags.contains($0.0) || Self.isWanted($0.1) }
    try await ConditionTrait.enabled(if: isWanted, "HEAVYWEIGHT_TIER leaves it out")
      .prepare(for: test)
  }
}

extension Trait where Self == TieredTrait {
  /// Left out where its tags aren't wanted.
  public static var tiered: Self { TieredTrait() }
}
