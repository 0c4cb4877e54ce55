import CoreData

/// Functions for value expressions: a name is cut at its last blank, and joined again.
final class NamePolicy: NSEntityMigrationPolicy {
  @objc func firstName(of name: String) -> String {
    guard let blank = name.lastIndex(of: " ") else { return name }
    return String(name[..<blank])
  }

  @objc func lastName(of name: String) -> String? {
    guard let blank = name.lastIndex(of: " ") else { return nil }
    return String(name[name.index(after: blank)...])
  }

  @objc func name(for person: NSManagedObject) -> String {
    let parts = ["first", "last"].compactMap { person.value(forKey: $0) as? String }
    return parts.joined(separator: " ")
  }
}
