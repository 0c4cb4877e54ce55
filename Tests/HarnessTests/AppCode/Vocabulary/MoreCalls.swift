import CoreData

/// The calls that classes of an app's own make, and that Foundation has on Apple's systems only. Only
/// compiled.
enum MoreCalls {
  static func predicates(_ date: Date, _ object: NSManagedObject, _ arguments: CVarArg...) {
    _ = NSPredicate(format: "a < %@", date as CVarArg)
    _ = NSPredicate(format: "a == %@ OR b IN %@", object, [1, 2] as CVarArg)
    _ = NSPredicate(format: "a == %@", argumentArray: [UUID()])
    _ = NSPredicate(format: "a == %@", arguments: getVaList(arguments))
    _ = NSPredicate(value: true)
    _ = NSPredicate { value, _ in value != nil }
    _ = NSCompoundPredicate(andPredicateWithSubpredicates: [])
    _ = NSComparisonPredicate(
      leftExpression: NSExpression(forKeyPath: \Sheet.title),
      rightExpression: NSExpression(forConstantValue: "x"), modifier: .direct, type: .equalTo,
      options: [.caseInsensitive])
    _ = NSSortDescriptor(keyPath: \Sheet.title, ascending: true).reversedSortDescriptor
    _ = NSSortDescriptor(
      key: "title", ascending: true, selector: #selector(NSString.localizedStandardCompare(_:)))
    NSLog("%@ %d", object, 5)
  }

  static func collections(_ object: NSManagedObject, _ sorted: [NSSortDescriptor]) {
    let set = object.value(forKey: "pages") as? NSSet ?? []
    _ = set.sortedArray(using: sorted)
    _ = NSArray().sortedArray(using: sorted)
    NSMutableArray().sort(using: sorted)
    _ = NSOrderedSet().sortedArray(using: sorted)
    NSMutableOrderedSet().sort(using: sorted)
    print(URL.documentsDirectory, URL.applicationSupportDirectory, URL.cachesDirectory)
    let group = FileManager.default.containerURL(forSecurityApplicationGroupIdentifier: "group")
    print(URL.libraryDirectory, group?.path ?? "")
    _ = set.value(forKey: "title")
    _ = set.value(forKeyPath: "@max.number")
    _ = NSArray().value(forKey: "title")
    _ = NSDictionary().value(forKeyPath: "a.b")
    NSMutableDictionary().setValue(nil, forKey: "a")
  }

  static func requests(_ context: NSManagedObjectContext, _ entity: NSEntityDescription) throws {
    let insertion = NSBatchInsertRequest(entity: entity, objects: [["title": "x"]])
    insertion.resultType = .objectIDs
    _ = NSBatchInsertRequest(entity: entity, dictionaryHandler: { _ in true })
    _ = NSBatchInsertRequest(entity: entity, managedObjectHandler: { _ in true })
    let update = NSBatchUpdateRequest(entity: entity)
    update.resultType = .updatedObjectIDsResultType
    let deletion = NSBatchDeleteRequest(fetchRequest: Sheet.fetchRequest())
    deletion.resultType = .resultTypeObjectIDs
    let result = try context.execute(deletion) as? NSBatchDeleteResult
    print(result?.result ?? "", result?.resultType ?? .resultTypeStatusOnly)
    let typed = Sheet.fetchRequest() as! NSFetchRequest<Sheet>
    let sheets: [Sheet] = try typed.execute()
    let request = NSAsynchronousFetchRequest(fetchRequest: typed) { _ = $0.finalResult }
    _ = try context.persistentStoreCoordinator?.execute(request, with: context)
    print(sheets)
    let expression = NSExpressionDescription()
    expression.expression = NSExpression(forFunction: "count:", arguments: [])
    expression.resultType = .integer64
    _ = NSPersistentHistoryTransaction.entityDescription(with: context)
    _ =
      NSPersistentHistoryChange.entityDescription(with: context)
      ?? NSPersistentHistoryChange.fetchRequest?.entity
    print(Bundle.module.bundlePath)
    let classes: [AnyClass] = [NSString.classForCoder(), NSDate.classForCoder()]
    print(classes, request.description)
    let token: NSPersistentHistoryToken? = nil
    _ = NSPersistentHistoryChangeRequest.fetchHistory(after: token)
    _ = NSPersistentHistoryChangeRequest.fetchHistory(after: Date())
    _ = NSPersistentHistoryChangeRequest.deleteHistory(before: token)
    let history = NSPersistentHistoryChangeRequest.deleteHistory(before: Date())
    history.resultType = .statusOnly
    _ = (try context.execute(history) as? NSPersistentHistoryResult)?.result
  }

  static func contexts(_ context: NSManagedObjectContext, run: ((() -> Void) -> Void) -> Void)
    throws
  {
    context.undoManager = nil
    context.undoManager?.removeAllActions()
    context.undo()
    context.redo()
    context.stalenessInterval = 0
    try context.setQueryGenerationFrom(.current)
    run(context.performAndWait)
  }

  static func coordinators(_ url: URL) async throws {
    let coordinator = NSPersistentStoreCoordinator()
    let count = try await coordinator.perform { coordinator.persistentStores.count }
    if let store = coordinator.persistentStores.first { _ = coordinator.setURL(url, for: store) }
    try coordinator.finishDeferredLightweightMigration()
    try coordinator.finishDeferredLightweightMigrationTask()
    _ = coordinator.currentPersistentHistoryToken(fromStores: nil)
    print(count)
  }

  static func later(_ coordinator: NSPersistentStoreCoordinator) { coordinator.perform {} }

  static func make<T: NSManagedObject>(_ type: T.Type, _ context: NSManagedObjectContext) -> T {
    T(context: context)
  }

  static func classes(_ reference: NSManagedObjectModelReference, _ policy: NSEntityMigrationPolicy)
  {
    print(NSManagedObject.description(), reference.resolvedModel)
    let selector = #selector(Sheet.show)
    if policy.responds(to: selector) { policy.perform(selector) }
    print(NSStringFromSelector(selector), NSStringFromClass(Sheet.self))
    print(NSClassFromString("App.Sheet") as Any)
    objc_sync_enter(policy)
    objc_sync_exit(policy)
    autoreleasepool { print("") }
  }

  static func errors(_ body: () throws -> Void) -> Int {
    do {
      try body()
    } catch CocoaError.validationMissingMandatoryProperty {
      return 1
    } catch let error as CocoaError where error.code == .migrationMissingSourceModel {
      return 2
    } catch let error as CocoaError {
      return error.errorCode
    } catch {
      return ((error as? CocoaError)?.code ?? .coreData).rawValue + (error as! NSError).code
    }
    return 0
  }

  static func observing(_ manager: NSMigrationManager, _ observer: Observer) {
    let observation = manager.observe(\.migrationProgress, options: [.new, .old, .initial, .prior])
    {
      manager, change in
      print(manager.migrationProgress, change.newValue ?? 0, change.oldValue ?? 0, change.kind)
      print(change.isPrior, change.indexes ?? [])
    }
    manager.addObserver(observer, forKeyPath: "migrationProgress", options: .new, context: nil)
    manager.removeObserver(observer, forKeyPath: "migrationProgress", context: nil)
    manager.removeObserver(observer, forKeyPath: "migrationProgress")
    observation.invalidate()
  }

  static func sections(_ controller: NSFetchedResultsController<Sheet>) -> [String] {
    let sections: [any NSFetchedResultsSectionInfo] = controller.sections ?? []
    return sections.map(\.name)
  }

  static func transformers() {
    ValueTransformer.setValueTransformer(Upper(), forName: NSValueTransformerName("Upper"))
    let upper = ValueTransformer(forName: NSValueTransformerName(rawValue: "Upper"))
    print(upper?.transformedValue("x") ?? "", upper?.reverseTransformedValue("X") ?? "")
    print(ValueTransformer.valueTransformerNames(), Upper.transformedValueClass())
    print(Upper.allowsReverseTransformation(), Words.allowedTopLevelClasses)
  }
}

final class Upper: ValueTransformer {
  override class func transformedValueClass() -> AnyClass { NSString.self }
  override class func allowsReverseTransformation() -> Bool { false }
  override func transformedValue(_ value: Any?) -> Any? { (value as? String)?.uppercased() }
}

final class Words: NSSecureUnarchiveFromDataTransformer {
  override static var allowedTopLevelClasses: [AnyClass] { [NSArray.self, NSString.self] }
}

final class Observer: NSObject {
  override func observeValue(
    forKeyPath keyPath: String?, of object: Any?, change: [NSKeyValueChangeKey: Any]?,
    context: UnsafeMutableRawPointer?
  ) {
    print(change?[.newKey] ?? "", change?[.oldKey] ?? "", change?[.kindKey] ?? "")
    print(change?[.indexesKey] ?? "", change?[.notificationIsPriorKey] ?? "")
  }
}

final class Both<Root>: NSCompoundPredicate {}
final class Comparing<Root>: NSComparisonPredicate {}

final class Sheet: NSManagedObject {
  @NSManaged var title: String?

  convenience init(context moc: NSManagedObjectContext) {
    self.init(entity: NSEntityDescription.entity(forEntityName: "Sheet", in: moc)!, insertInto: moc)
  }

  @objc func show() {}
  @objc func validateTitle(_ value: AutoreleasingUnsafeMutablePointer<AnyObject?>) throws {}

  override func validateValue(
    _ value: AutoreleasingUnsafeMutablePointer<AnyObject?>, forKey key: String
  ) throws { try super.validateValue(value, forKey: key) }
  override func value(forUndefinedKey key: String) -> Any? { super.value(forUndefinedKey: key) }
  override func setValue(_ value: Any?, forUndefinedKey key: String) {
    super.setValue(value, forUndefinedKey: key)
  }
  override func setNilValueForKey(_ key: String) { super.setNilValueForKey(key) }
}
