import CoreData

/// A book that answers for keys it doesn't have, and is strict about its title.
@objc(Strict)
final class Strict: Book {
  private(set) var others: [String: Any] = [:]

  override func value(forUndefinedKey key: String) -> Any? { "undefined " + key }
  override func setValue(_ value: Any?, forUndefinedKey key: String) { others[key] = value }
  override func setNilValueForKey(_ key: String) { setValue("nil for " + key, forKey: "title") }

  @objc func validateTitle(_ value: AutoreleasingUnsafeMutablePointer<AnyObject?>) throws {
    let title = value.pointee as? String ?? ""
    if title == "bad" { throw NSError(domain: "Strict", code: 1) }
    let trimmed = title.trimmingCharacters(in: .whitespaces)
    if trimmed != title { value.pointee = trimmed as NSString }
  }
}

final class KeysPolicy: NSEntityMigrationPolicy {
  @objc func answer(_ question: String) -> String {
    do {
      let context = try Books.context()
      return try context.performAndWait { try answer(question, context) }
    } catch {
      return "\(error)"
    }
  }

  private func answer(_ question: String, _ context: NSManagedObjectContext) throws -> String {
    let books = try context.fetch(NSFetchRequest<Book>(entityName: "Book"))
    let strict = Strict(entity: books[0].entity, insertInto: context)
    strict.title = "bad"
    switch question {
    case "undefined": return strict.value(forKey: "nothing") as? String ?? "none"
    case "set undefined":
      strict.setValue(5, forKey: "nothing")
      return strict.others.map { "\($0) = \($1)" }.joined()
    case "nil":
      strict.setNilValueForKey("pages")
      return strict.title ?? "none"
    case "validate": return told { try strict.validateForInsert() }
    case "validate changes":
      strict.title = " Emma "
      try strict.validateForInsert()
      return strict.title ?? "none"
    case "validate value":
      var good: AnyObject? = " x " as NSString
      var bad: AnyObject? = "bad" as NSString
      return told { try strict.validateValue(&good, forKey: "title") }
        + " as \(good as? String ?? "none"), "
        + told { try strict.validateValue(&bad, forKey: "title") }
    case "save":
      do { try context.save() } catch { return "refused \((error as NSError).code)" }
      return "saved"
    case "collections":
      let array = ([["n": 1], ["n": 2]] as NSArray).value(forKey: "n") as? [Int] ?? []
      let set = (NSSet(array: ["a", "bb"]).value(forKey: "length") as? NSSet)?.count ?? 0
      let dictionary = (["n": 5] as NSDictionary).value(forKey: "n") as? Int ?? 0
      let ordered = NSOrderedSet(array: ["a", "bb"]).value(forKey: "length") as? NSOrderedSet
      return "\(array) \(set) \(dictionary) \(ordered?.count ?? 0)"
    case "dictionary":
      let dictionary = NSMutableDictionary()
      dictionary.setValue("a", forKey: "x")
      dictionary.setValue("b", forKey: "y")
      let before = dictionary.count
      dictionary.setValue(nil, forKey: "x")
      return "\(before) \(dictionary.count)"
    case "array":
      let list = [["n": 2], ["n": 1]] as NSArray
      let sorted = list.sortedArray(using: [NSSortDescriptor(key: "n", ascending: true)])
      return "\((sorted as? [[String: Int]] ?? []).map { $0["n"]! })"
    case "mutable array":
      let list = NSMutableArray(array: [["n": 2], ["n": 1]])
      list.sort(using: [NSSortDescriptor(key: "n", ascending: true)])
      return "\((list as? [[String: Int]] ?? []).map { $0["n"]! })"
    case "set":
      let sorted =
        NSSet(array: books)
        .sortedArray(using: [NSSortDescriptor(key: "pages", ascending: false)]) as? [Book] ?? []
      return sorted.compactMap(\.title).joined(separator: ",")
    case "ordered set":
      let up = [NSSortDescriptor(key: "self", ascending: true)]
      let set = NSMutableOrderedSet(array: ["b", "a"])
      let sorted = (set.sortedArray(using: up) as? [String] ?? []).joined()
      set.sort(using: up)
      return sorted + " " + (set.array as? [String] ?? []).joined()
    case "key path":
      let names = books.compactMap { $0.value(forKeyPath: "author.name") as? String }
      books[0].setValue("Jane", forKeyPath: "author.name")
      return names.sorted().joined(separator: " ") + " "
        + (books[0].value(forKeyPath: "author.name") as? String ?? "none")
    case "empty set":
      let two: NSSet = [1]
      return "\((strict.value(forKey: "pages") as? NSSet ?? []).count) \(two.count)"
    case "responds":
      return "\(responds(to: #selector(answer(_:)))) \(responds(to: Selector("nothing:"))) "
        + "\(strict.responds(to: Selector("setTitle:")))"
    case "class": return NSManagedObject.description()
    case "lock":
      objc_sync_enter(self)
      defer { objc_sync_exit(self) }
      return "locked"
    default: return "what is \(question)?"
    }
  }

  private func told(_ body: () throws -> Void) -> String {
    do {
      try body()
      return "valid"
    } catch {
      return "\((error as NSError).domain) \((error as NSError).code)"
    }
  }
}
