import CoreData

/// Functions for value expressions: a name is cut at its last blank, and joined again.
final class NamePolicy: NSEntityMigrationPolicy {
  func firstName(of name: String) -> String {
    guard let blank = name.lastIndex(of: " ") else { return name }
    return String(name[..<blank])
  }

  func lastName(of name: String) -> String? {
    guard let blank = name.lastIndex(of: " ") else { return nil }
    return String(name[name.index(after: blank)...])
  }

  func name(for person: NSManagedObject) -> String {
    let parts = ["first", "last"].compactMap { person.value(forKey: $0) as? String }
    return parts.joined(separator: " ")
  }
}
