import Foundation

@testable import Commands
@testable import Scenarios

extension CheckedScenario {
  /// What all objects made by rule come to, the same on every machine; nil without any.
  func seedDigest(from start: String) -> String? { seed(for: start)?.plan?.digest() }
}

extension SeedPlan {
  /// What all generated objects come to, the same on every machine for the same seed: a SHA-256 over
  /// entities, values and links, as hexadecimal digits.
  /// - Complexity: As making all objects.
  func digest() -> String {
    var digest = SHA2()
    for block in blocks {
      for index in 0..<block.count {
        digest.update(block.row(index).bytes(of: block.entity))
      }
    }
    return digest.value.hexadecimal
  }
}

extension GeneratedRow {
  /// The row in a form that no machine, library or version has a say in.
  fileprivate func bytes(of entity: EntityDescription) -> Data {
    var bytes = Data()
    bytes.add(entity.name)
    for attribute in entity.attributes.sorted(by: { $0.name < $1.name }) {
      bytes.add(attribute.name)
      bytes.add(values[attribute.slot])
    }
    for link in links.sorted(by: { $0.relationship.name < $1.relationship.name }) {
      bytes.add(link.relationship.name)
      bytes.add(UInt64(link.targets.count))
      for target in link.targets { bytes.add(UInt64(target)) }
    }
    for relationship in dangling { bytes.add("\(relationship.name) leads nowhere") }
    return bytes
  }
}

extension Data {
  fileprivate mutating func add(_ number: UInt64) {
    for shift in 0..<8 { append(UInt8(truncatingIfNeeded: number >> (8 * shift))) }
  }

  fileprivate mutating func add(_ text: String) {
    add(UInt64(text.utf8.count))
    append(contentsOf: text.utf8)
  }

  fileprivate mutating func add(_ value: Value) {
    switch value {
    case .null: append(0)
    case .integer(let number):
      append(1)
      add(UInt64(bitPattern: number))
    case .double(let number):
      append(2)
      add(number.bitPattern)
    case .date(let date):
      append(3)
      add(date.timeIntervalSinceReferenceDate.bitPattern)
    case .data(let data):
      append(4)
      add(UInt64(data.count))
      append(data)
    case .decimal, .string, .uuid, .uri, .transformable, .object, .collection:
      append(5)
      add(value.shown)
    }
  }
}
