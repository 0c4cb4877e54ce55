/// Something that a step met or did of which nobody knows what a device makes of it.
public enum StepDoubt: Hashable, Sendable, Codable, CustomStringConvertible {
  /// The store's version is the end of a custom stage, and the next custom stage begins at another one.
  // Core Data: assumed to be inferred; a team's rules, after trying, say that a device then ends with an error.
  case stageGap(end: String, next: String)
  /// Several entities or relationships were one by their renaming identifiers, and no mapping is inferred.
  // Core Data: assumed to be an error; of attributes it is known that each gets the value.
  case ambiguous
  /// The source model is the one that the store keeps of itself: the app has none that fits.
  case storeModel
  /// A mapping model fits a step within a stage.
  // Core Data: assumed to be passed over; one author saw a device use it.
  case mappingInStage(name: String)
  /// A policy's `end(_:manager:)` did something that depends on whether the save comes after it.
  // Core Data: assumed to come before the save, as a public walk-through relies on; Apple's archived guide has it at
  // the end of the cycle, after the save.
  case end(mapping: String, what: String)
  /// A mapping gave several objects for a to-one relationship.
  // Core Data: assumed to take the first one; nothing says which a device takes, or whether it takes any.
  case severalForOne(property: String, mapping: String)
  /// A mapping gave one object to several, by a to-many relationship whose members have one owner.
  // Core Data: assumed to stay with the one that was linked last.
  case shared(property: String, mapping: String)
  /// Several source objects became one, which lacks links that others of them than the first had.
  // Core Data: assumed to be linked by the source object that was associated first.
  case merged(property: String, mapping: String)
  /// The objects of an entity mapping were asked for that the mapping model doesn't have.
  // Core Data: assumed to be none.
  case unknownMapping(name: String)
  /// An attribute was to have numbers that its type can't hold.
  // Core Data: assumed to lose fractions, and to read NaN as nil; a column keeps what SQLite put there, and nobody is
  // known to have looked.
  case unfitNumber(property: String)
  /// A derived attribute has other values after a lightweight step, which changed what it is derived from.
  // Core Data: assumed to be computed anew; documented is that it is when objects are saved.
  case rederived(property: String)
  /// nil was to be passed for a parameter of a class that isn't optional, which ends the step here.
  case nilArgument(String)
  /// What the app's code had the engine do, in a policy or a stage's handler.
  case appCode(AppCodeDoubt)

  /// Whether it hangs on objects having several links, or the same ones.
  package var isOfLinks: Bool {
    switch self {
    case .severalForOne, .shared, .merged: true
    default: false
    }
  }

  public var description: String {
    switch self {
    case .stageGap(let end, let next):
      "the store is at \(end), where a custom stage ends, and the next one begins at \(next)"
    case .ambiguous:
      "renaming identifiers pair several entities or relationships with one, so that no mapping is inferred"
    case .storeModel:
      "it starts from the store's own model, as SwiftData certainly does, and Core Data perhaps"
    case .mappingInStage(let name):
      "the mapping model '\(name)' fits this step within a stage, and was passed over"
    case .end(let mapping, let what): "end(_:manager:) of '\(mapping)' \(what)"
    case .severalForOne(let property, let mapping):
      "\(property) is to-one, and '\(mapping)' gave several objects for it, of which the first was taken"
    case .shared(let property, let mapping):
      "'\(mapping)' gave several objects the same ones by \(property), where each can be of one only: links were lost"
    case .merged(let property, let mapping):
      "'\(mapping)' merged source objects, and linked the result by the first one's \(property): others had other links"
    case .unknownMapping(let name):
      "objects of the entity mapping '\(name)' were asked for, of which there is none"
    case .unfitNumber(let property):
      "\(property) has a type that can't hold what rows have, or a mapping gives: fractions, NaN, or numbers too large, small or long"
    case .rederived(let property):
      "\(property) was derived anew, and has other values than before"
    case .nilArgument(let reason): reason
    case .appCode(let doubt): doubt.description
    }
  }

  /// What a device may do instead.
  public var doubt: String {
    switch self {
    case .stageGap:
      "It may end in an error, \"Incompatible metadata after migration because the store version hashes didn't "
        + "migrate.\""
    case .ambiguous: "A device may infer one, and give the rows or links to any of them."
    case .storeModel:
      "SwiftData certainly does the same; Core Data may end with 134130, as for any store without a source model."
    case .mappingInStage: "A device may use the mapping model in place of inference."
    case .end:
      "Apple's guide has it after the save, where what it writes isn't saved, and an error leaves a store that is "
        + "complete; the engine has it before."
    case .severalForOne: "A device may take another of them, or end in an error."
    case .shared: "A device may leave them with another one."
    case .merged:
      "A device may link it by another of them; the links of the others are lost there, too."
    case .unknownMapping: "A device may raise an exception."
    case .unfitNumber:
      "A device may keep the numbers in the file, where predicates in SQL and later versions find them."
    case .rederived: "A device may leave the former values until the objects are saved."
    case .nilArgument:
      "A device calls the method all the same: there each message to the object gives nil or 0, and Swift may trap."
    case .appCode(.unfitNumber): "A device may round it, or keep it until the object is read again."
    case .appCode(.newDuplicates): "A device may keep the values of another of them."
    case .appCode(.deletedByOthers): "A device may let the deletion stand, or undo it."
    case .appCode(.managerUsedAgain): "A device may validate the second run before it links."
    case .appCode(.aggregatesInMemory): "A device may raise an exception."
    case .appCode(.lateWork): "A device may go on without it, and lose it."
    case .appCode(.migration):
      "A device may make something else of it, as of a step of the chain that does the same."
    case .appCode(.functionOfNil): "A device may raise an exception, as it does for arithmetic."
    }
  }

  /// How it becomes certain.
  public var remedy: String {
    switch self {
    case .stageGap: "Put a custom stage without handlers between the two"
    case .ambiguous: "Give each a renaming identifier of its own, or write a mapping model"
    case .storeModel: "Put the version that wrote the store back into the model"
    case .mappingInStage:
      "Take the mapping model out of the app, or say in a stage's handler what it does"
    case .end: "Do it in performCustomValidation(forMapping:manager:), or after the migration"
    case .severalForOne: "Choose one in a method of the policy"
    case .shared: "Make the inverse to-many, or choose one owner in a method of the policy"
    case .merged:
      "Link merged objects in the policy's createRelationships(forDestination:in:manager:)"
    case .unknownMapping: "Write the entity mapping's name as it is in the mapping model"
    case .unfitNumber:
      "Make the numbers fit in a mapping model, by trunc: for example, or in a policy"
    case .rederived: "Let the app save the objects after the migration"
    case .nilArgument: "Declare the parameter optional"
    case .appCode(.unfitNumber): "Make it fit before setting it"
    case .appCode(.newDuplicates): "Look for an equal object before inserting one"
    case .appCode(.deletedByOthers): "Fetch the object before changing it"
    case .appCode(.managerUsedAgain): "Use a new manager for each mapping model"
    case .appCode(.aggregatesInMemory): "Fetch the objects and count them in code"
    case .appCode(.lateWork): "Use performAndWait in the handler, or wait for what it starts"
    case .appCode(.migration): "Play it as a step of a chain, which says more of it"
    case .appCode(.functionOfNil): "Ask for nil first, with TERNARY or in the policy"
    }
  }
}

/// What `end` may have changed, as it is at one moment.
struct EndState {
  private let objects: Int
  private let changes: Int
  private let settings: NSDictionary

  init(_ context: ManagedObjectContext) {
    context.untrackInsertedObjects()
    objects = context.insertedObjectCount
    changes = context.noticedChanges + context.deletedObjects.count
    settings = UserDefaults.standard.dictionaryRepresentation() as NSDictionary
  }

  /// What is different since then, in words; nil where nothing is.
  func difference(in context: ManagedObjectContext) -> String? {
    let now = EndState(context)
    var parts: [String] = []
    if now.objects != objects {
      let count = abs(now.objects - objects)
      let verb = now.objects > objects ? "inserted" : "deleted"
      parts.append("\(verb) \(count) \(count == 1 ? "object" : "objects")")
    } else if now.changes != changes {
      parts.append("changed objects")
    }
    if now.settings != settings { parts.append("changed the app's settings (UserDefaults)") }
    return parts.isEmpty ? nil : parts.joined(separator: " and ")
  }
}
