import TestSupport
import Testing

@testable import Commands
@testable import PolicyCompiler
@testable import Scenarios
@testable import Terminal

/// The calls of Core Data's API that are usual in apps' policies.
@Suite(.tags(.compiles), .tiered)
struct PolicyVocabularyTests {
  @Test func compilesTheUsualCalls() async throws {
    let library = try await PolicyFolder(module: "Field").library(
      #"""
      import Foundation
      import CoreData

      final class FieldPolicy: NSEntityMigrationPolicy {
        private lazy var formatter: DateFormatter = {
          let f = DateFormatter(); f.dateFormat = "yyyy"; return f
        }()
        private enum Keys { static let cache = "authors" }

        override func begin(_ mapping: NSEntityMapping, with manager: NSMigrationManager) throws {
          if manager.userInfo == nil { manager.userInfo = [Keys.cache: NSMutableDictionary()] }
          mapping.attributeMappings?.first(where: { $0.name == "title" })?.valueExpression =
            NSExpression(forConstantValue: "x")
          try super.begin(mapping, with: manager)
        }

        override func createDestinationInstances(forSource sInstance: NSManagedObject, in mapping: NSEntityMapping, manager: NSMigrationManager) throws {
          try super.createDestinationInstances(forSource: sInstance, in: mapping, manager: manager)
          guard let dInstance = manager.destinationInstances(forEntityMappingName: mapping.name, sourceInstances: [sInstance]).first else {
            fatalError("must return dest instance")
          }
          let keys = Array(sInstance.entity.attributesByName.keys)
          let values = sInstance.dictionaryWithValues(forKeys: keys)
          for (name, attribute) in dInstance.entity.attributesByName {
            if attribute.attributeType == .stringAttributeType, attribute.defaultValue == nil {
              dInstance.setValue(values[name] as? String ?? "", forKey: name)
            }
            switch attribute.attributeType {
            case .integer16AttributeType, .booleanAttributeType: break
            default: break
            }
            _ = attribute.userInfo?["key"] as? String
          }
          for (name, relationship) in dInstance.entity.relationshipsByName where relationship.isToMany {
            print(name, relationship.destinationEntity?.name ?? "", relationship.inverseRelationship?.name ?? "", relationship.isOrdered)
          }
          for mapping in mapping.attributeMappings ?? [] {
            let context: NSMutableDictionary = [NSMigrationSourceObjectKey: sInstance, NSMigrationManagerKey: manager]
            let value = mapping.valueExpression?.expressionValue(with: sInstance, context: context)
            if let name = mapping.name { dInstance.setValue(value, forKey: name) }
          }
          let cache = manager.userInfo?[Keys.cache] as? NSMutableDictionary
          cache?.setObject(dInstance, forKey: sInstance.objectID)
          if let author = sInstance.value(forKeyPath: "author.name") as? String {
            let request: NSFetchRequest<NSFetchRequestResult> = NSFetchRequest(entityName: "Author")
            request.predicate = NSPredicate(format: "name == %@ AND %K > %d", author, "age", 5)
            request.relationshipKeyPathsForPrefetching = ["books"]
            request.returnsObjectsAsFaults = false
            let results = try manager.destinationContext.fetch(request)
            if let found = results.first as? NSManagedObject {
              dInstance.setValue(found, forKey: "author")
            }
            if results.count == 0 { }
          }
          let moc = manager.destinationContext
          moc.performAndWait {
            let set = dInstance.mutableSetValue(forKey: "tags")
            set.add(dInstance)
            let ordered = dInstance.mutableOrderedSetValue(forKey: "tags")
            ordered.insert(dInstance, at: 0)
            dInstance.setValue(NSSet(array: [dInstance]), forKey: "tags")
            dInstance.setValue(Set([dInstance]), forKey: "tags")
          }
          if let data = sInstance.value(forKey: "blob") as? Data,
            let list = try? NSKeyedUnarchiver.unarchivedObject(ofClass: NSArray.self, from: data) {
            print(list)
          }
          let source = sInstance.value(forKey: "n") as! NSNumber
          dInstance.setValue(NSNumber(value: source.intValue + 1), forKey: "n")
          dInstance.setValue(source.boolValue ? 1 : 0, forKey: "n")
          dInstance.setValue(Int16(3), forKey: "n")
          dInstance.setValue(nil, forKey: "n")
          moc.delete(dInstance)
          if mapping.mappingType == .transformEntityMappingType {}
          let p1 = NSPredicate(format: "id IN %@", [1, 2])
          let p2 = NSCompoundPredicate(type: .and, subpredicates: [p1, NSPredicate(value: true)])
          _ = p2.evaluate(with: dInstance)
          let p3 = NSPredicate(format: "x = $X").withSubstitutionVariables(["X": 3])
          _ = NSPredicate { object, _ in (object as? NSManagedObject) != nil }
          _ = p3.predicateFormat
          let sort = NSSortDescriptor(key: "name", ascending: true, selector: #selector(NSString.localizedCaseInsensitiveCompare(_:)))
          print(sort.key!, sort.ascending)
          let ids: [NSManagedObjectID] = [dInstance.objectID]
          _ = try moc.existingObject(with: ids[0])
          _ = moc.registeredObject(for: ids[0])
          _ = dInstance.objectID.uriRepresentation().absoluteString
          _ = sInstance.committedValues(forKeys: nil)
          DispatchQueue.global().sync {}
        }

        override func createRelationships(forDestination dInstance: NSManagedObject, in mapping: NSEntityMapping, manager: NSMigrationManager) throws {
          try super.createRelationships(forDestination: dInstance, in: mapping, manager: manager)
          guard let sInstance = manager.sourceInstances(forEntityMappingName: mapping.name, destinationInstances: [dInstance]).first else { return }
          let related = sInstance.value(forKey: "books") as? Set<NSManagedObject> ?? []
          let dest = manager.destinationInstances(forEntityMappingName: "BookToBook", sourceInstances: Array(related))
          dInstance.setValue(NSSet(array: dest), forKey: "books")
          guard let name = dInstance.entity.name, name != "" else { return }
          if manager.sourceEntity(for: mapping)?.name == manager.destinationEntity(for: mapping)?.name {}
        }

        override func performCustomValidation(forMapping mapping: NSEntityMapping, manager: NSMigrationManager) throws {
          try super.performCustomValidation(forMapping: mapping, manager: manager)
          throw NSError(domain: NSCocoaErrorDomain, code: NSMigrationError, userInfo: [NSLocalizedDescriptionKey: "x"])
        }

        override func endInstanceCreation(forMapping mapping: NSEntityMapping, manager: NSMigrationManager) throws {
          let progress: Float = manager.migrationProgress
          print(progress, manager.currentEntityMapping.name ?? "")
          manager.cancelMigrationWithError(NSError(domain: "x", code: 1))
        }
        override func endRelationshipCreation(forMapping mapping: NSEntityMapping, manager: NSMigrationManager) throws {}
        override func end(_ mapping: NSEntityMapping, manager: NSMigrationManager) throws {}
      }
      """#)
    #expect(library.policyNames == ["Field.FieldPolicy"])
  }

  @Test func foundationGivesWhatItGivesOnADevice() async throws {
    let folder = try PolicyFolder(module: "Field")
    for name in ["A", "B"] {
      _ = try folder.folder.write("", to: "App.bundle/Model.momd/\(name).mom")
    }
    let library = try await folder.library(
      #"""
      import CoreData

      extension NSFetchRequest {
        @objc func limit(to count: Int) { fetchLimit = count }
      }

      final class Policy: NSEntityMigrationPolicy {
        @objc func models(_ path: String) -> String {
          let bundle = Bundle(path: path)!
          let names = bundle.urls(forResourcesWithExtension: "mom", subdirectory: "Model.momd")
          let urls: [URL] = names ?? []
          return urls.map { $0.deletingPathExtension().lastPathComponent }.sorted().joined()
        }

        @objc func protected(_ name: String) -> String {
          let description = NSPersistentStoreDescription()
          description.setOption(
            FileProtectionType.complete as NSObject, forKey: NSPersistentStoreFileProtectionKey)
          description.setValue("DELETE" as NSObject, forPragmaNamed: "journal_mode")
          let value = description.options[NSPersistentStoreFileProtectionKey]
          let request = NSFetchRequest<NSManagedObject>(entityName: "Song")
          request.limit(to: Int(NSEC_PER_SEC / NSEC_PER_MSEC))
          return "\(value as! String == name) \(request.fetchLimit)"
        }
      }
      """#)
    let path = folder.folder.url.appending(path: "App.bundle").path
    #expect(try library.call("models:", of: "Field.Policy", path) == "AB")
    let complete = FileProtectionType.complete.rawValue
    #expect(
      try library.call("protected:", of: "Field.Policy", complete) == "true 1000")
  }
}
