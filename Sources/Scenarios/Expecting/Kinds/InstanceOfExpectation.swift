/// `instanceOf: { Song love: Songbook.Song }`.
///
/// What an app's own context makes of the object: its entity names a class, and the runtime finds it, or
/// doesn't. (In a migration all objects are plain `NSManagedObject`s.)
struct InstanceOfExpectation: ObjectsExpectation {
  struct Item: Sendable {
    let object: ObjectReference
    /// `Module.Class`, or `NSManagedObject`.
    let className: Located<String>
  }
  let items: [Item]

  static let form = ExpectationForm(
    keyword: "instanceOf", example: "instanceOf: { Song love: Songbook.Song }",
    meaning:
      "in the app's context the object is of this class; `NSManagedObject` if the entity's class isn't found",
    schema: """
      {"type": "object", "additionalProperties": {"type": "string"},
       "description": "The class of an object in the app's context."}
      """, countsObjects: true)

  static func read(_ written: WrittenKeyword, by reader: ScenarioReader) -> Self? {
    let collector = reader.collector
    guard let entries = written.map else { return nil }
    return InstanceOfExpectation(
      items: entries.compactMap { entry in
        guard let object = collector.reference(entry.key),
          let name = collector.text(entry.value, of: entry.key.value)
        else { return nil }
        return Item(object: object, className: name)
      })
  }

  var isEmpty: Bool { items.isEmpty }

  func resolve(
    by checker: ScenarioChecker, _ scope: ModelScope, at place: SourcePlace
  ) -> InstanceOfCheck? {
    let modules = Set(checker.scenario.policies.map(\.name.value))
    return InstanceOfCheck(
      items: items.compactMap { item in
        let object = checker.resolve(item.object, scope)
        check(item.className, among: modules, checker.collector)
        return object.map { (object: $0, className: item.className) }
      })
  }

  /// Reports a class that no source of the scenario can declare.
  private func check(
    _ name: Located<String>, among modules: Set<String>, _ collector: DiagnosticCollector
  ) {
    if name.value == InstanceOfCheck.plain { return }
    let parts = name.value.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 2, !parts.contains("") else {
      return collector.report(
        "'\(name.value)' must be a module and a class, as in 'App.Song', or \(InstanceOfCheck.plain)",
        at: name.place)
    }
    if modules.contains(String(parts[0])) { return }
    let hint = Spelling.hint(for: String(parts[0]), among: modules, called: "modules")
    collector.report(
      "'policies' has no module '\(parts[0])'\(hint); the classes of an app's objects are compiled "
        + "with its policies", at: name.place)
  }
}

struct InstanceOfCheck: ObjectsCheck {
  let items: [(object: ResolvedReference, className: Located<String>)]
  private typealias Item = (object: ResolvedReference, className: Located<String>)
  static let plain = "NSManagedObject"

  func mismatches(in situation: Situation, at place: SourcePlace) throws -> [Failure] {
    try items.compactMap { try mismatch($0, in: situation) }
  }

  private func mismatch(_ item: Item, in situation: Situation) throws -> Failure? {
    let subject = "\(item.object.shown), class"
    let object: ManagedObject
    do {
      object = try situation.object(item.object)
    } catch let error as ReferenceError {
      return Failure(
        at: item.object.place, subject, expected: item.className.value, found: error.description
      ).showing(error.symptom)
    }
    let found = ObjectClasses.className(for: object.entity) ?? Self.plain
    if found == item.className.value { return nil }
    return Failure(
      at: item.className.place, subject, expected: item.className.value, found: found,
      notes: note(on: object.entity, found: found),
      repairs: [Repair(of: item.className.place, .text(found))]
    )
  }

  private func note(on entity: EntityDescription, found: String) -> [String] {
    guard found == Self.plain else { return [] }
    guard let named = entity.managedObjectClassName, named != Self.plain else {
      return ["the entity names no class of its own in this version"]
    }
    return ["the entity's class is '\(named)', which the runtime doesn't find"]
  }

  func vacuities(_ check: VacuityCheck, at place: SourcePlace) throws -> [Failure] { [] }

  var dependsOnTime: Bool { false }
}
