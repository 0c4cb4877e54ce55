import CoreData

// MARK: An app's own additions

extension NSPredicate {
  convenience init(titled title: String) { self.init(format: "title == %@", title) }
  convenience init(all format: String, _ arguments: CVarArg...) {
    self.init(format: format, arguments: getVaList(arguments))
  }
}

extension NSExpression {
  convenience init(total key: String) {
    self.init(forFunction: "sum:", arguments: [NSExpression(forKeyPath: key)])
  }
}

extension NSSortDescriptor {
  convenience init(up key: String) { self.init(key: key, ascending: true) }
}

extension NSFetchRequest {
  @objc convenience init(of name: String) { self.init(entityName: name) }
}

/// Predicates that know whose they are, by key paths.
protocol TypedPredicate: NSPredicate { associatedtype Root }
final class Both<Root>: NSCompoundPredicate, TypedPredicate {}
final class Comparing<Root>: NSComparisonPredicate, TypedPredicate {}

extension Comparing {
  convenience init<Property>(
    _ keyPath: KeyPath<Root, Property>, _ type: NSComparisonPredicate.Operator, _ value: Any?
  ) {
    self.init(
      leftExpression: NSExpression(forKeyPath: keyPath),
      rightExpression: NSExpression(forConstantValue: value), modifier: .direct, type: type)
  }
}

func && <P: TypedPredicate, Q: TypedPredicate>(a: P, b: Q) -> Both<P.Root> where P.Root == Q.Root {
  Both(type: .and, subpredicates: [a, b])
}
func == <Root, Property: Equatable>(path: KeyPath<Root, Property>, value: Property) -> Comparing<Root> {
  Comparing(path, .equalTo, value)
}
func > <Root, Property: Comparable>(path: KeyPath<Root, Property>, value: Property) -> Comparing<Root> {
  Comparing(path, .greaterThan, value)
}

// MARK: -

final class FormatsPolicy: NSEntityMigrationPolicy {
  @objc func answer(_ question: String) -> String {
    do {
      let context = try Books.context()
      return try context.performAndWait { try answer(question, context) }
    } catch {
      return "\(error)"
    }
  }

  private func answer(_ question: String, _ context: NSManagedObjectContext) throws -> String {
    func titles(_ predicate: NSPredicate) throws -> String {
      let request = NSFetchRequest<Book>(entityName: "Book")
      request.predicate = predicate
      request.sortDescriptors = [NSSortDescriptor(keyPath: \Book.title, ascending: false)]
      return try context.fetch(request).compactMap(\.title).joined(separator: " ")
    }
    func equals<T>(_ key: String, _ value: T) throws -> String {
      try titles(NSPredicate(format: "%K == %@", key, value as! CVarArg))
    }
    let emma = try context.fetch(NSFetchRequest<Book>(entityName: "Book")).first { $0.title == "Emma" }!
    switch question {
    case "text": return try titles(NSPredicate(format: "title == %@", "Emma" as CVarArg))
    case "date":
      return try titles(NSPredicate(format: "bought > %@", emma.bought! as CVarArg))
    case "uuid": return try titles(NSPredicate(format: "code == %@", emma.code! as CVarArg))
    case "array": return try titles(NSPredicate(format: "title IN %@", ["Emma", "Ulysses"] as CVarArg))
    case "set": return try titles(NSPredicate(format: "pages IN %@", Set([200, 300]) as CVarArg))
    case "number": return try titles(NSPredicate(format: "pages == %@", NSNumber(value: 700)))
    case "object": return try titles(NSPredicate(format: "author == %@", emma.author!))
    case "identifier": return try titles(NSPredicate(format: "SELF == %@", emma.objectID as CVarArg))
    case "generic": return try equals("title", "Emma") + " " + equals("code", emma.code!)
    case "several": return try titles(NSPredicate(all: "pages > %ld AND title != %@", 200, "Emma"))
    case "text format":
      return String(format: "%@ %@ %d", emma.title!, NSNumber(value: 5) as CVarArg, 6)
    case "predicate": return try titles(NSPredicate(titled: "Emma"))
    case "expression": return NSExpression(total: "pages").description
    case "sort": return NSSortDescriptor(up: "title").key ?? "none"
    case "request": return NSFetchRequest<Book>(of: "Book").entityName ?? "none"
    case "typed":
      let isLong = \Book.pages > 200
      let isEmma = \Book.title == "Emma"
      return try titles(isLong && isEmma)
    case "typed class":
      let predicate: NSPredicate = \Book.pages > 200
      return "\(predicate is NSComparisonPredicate)"
    case "path": return NSExpression(forKeyPath: \Book.author!.name).keyPath
    case "optional path": return NSSortDescriptor(keyPath: \Book.author?.name, ascending: true).key!
    case "set path": return NSExpression(forKeyPath: \Author.books).keyPath
    default: return "what is \(question)?"
    }
  }
}
