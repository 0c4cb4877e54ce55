/// One of several parts of the runs, for machines that share the work.
///
/// The parts of one list have no run in common and are the whole list together.
package struct Shard: Sendable, Hashable, Codable {
  /// Counts from 1.
  package let number: Int
  package let total: Int

  /// - Parameter argument: `2/3` for the second of three parts.
  package init?(argument: String) {
    let parts = argument.split(separator: "/", omittingEmptySubsequences: false).map { Int($0) }
    guard parts.count == 2, let number = parts[0], let total = parts[1] else { return nil }
    self.init(number: number, total: total)
  }

  private init?(number: Int, total: Int) {
    guard total >= 1, (1...total).contains(number) else { return nil }
    self.number = number
    self.total = total
  }

  /// The shard that Bazel asks a test for by `TEST_TOTAL_SHARDS` and `TEST_SHARD_INDEX`, which
  /// counts from 0. Bazel wants the file that `TEST_SHARD_STATUS_FILE` names to be touched by
  /// tests that know about shards.
  /// - Throws: ``Diagnostics`` when the variables make no sense.
  package static func fromEnvironment(
    _ environment: [String: String] = ProcessInfo.processInfo.environment
  ) throws -> Shard? {
    guard let total = environment["TEST_TOTAL_SHARDS"] else { return nil }
    if let file = environment["TEST_SHARD_STATUS_FILE"] {
      _ = FileManager.default.createFile(atPath: file, contents: nil)
    }
    let index = environment["TEST_SHARD_INDEX"] ?? ""
    guard let total = Int(total), let index = Int(index),
      let shard = Shard(number: index + 1, total: total)
    else {
      throw Diagnostics(
        file: "TEST_SHARD_INDEX",
        "'\(index)' isn't a number from 0 to TEST_TOTAL_SHARDS ('\(total)') less 1")
    }
    return shard
  }

  /// Which of so many shards has each of some items, by how long they take: the longest are dealt first, each to the
  /// shard that has least by then. So those that take equally long are dealt in turn.
  package static func deal(_ weights: [Double], to total: Int) -> [Int] {
    var loads = [Double](repeating: 0, count: total)
    var numbers = [Int](repeating: 1, count: weights.count)
    for item in weights.indices.sorted(by: { (weights[$1], $0) < (weights[$0], $1) }) {
      let least = loads.indices.min { (loads[$0], $0) < (loads[$1], $1) } ?? 0
      loads[least] += weights[item]
      numbers[item] = least + 1
    }
    return numbers
  }
}

/// Which shard plays a scenario from a start.
package struct DealtRun: Hashable, Sendable, Codable {
  package let address: ScenarioAddress
  package let start: String
  package let shard: Int
  /// Stands for the scenario's file, and all that it reads: where these changed, shards aren't of one call.
  package var text: String?
}

extension Shard: CustomStringConvertible {
  /// How a call asks for it.
  package var option: String { "--shard \(self)" }

  package var description: String { "\(number)/\(total)" }
}
