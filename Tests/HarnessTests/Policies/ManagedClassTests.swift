import TestSupport
import Testing

@testable import Commands
@testable import PolicyCompiler
@testable import Scenarios
@testable import Terminal

/// What classes of managed objects override or leave out.
@Suite(.tags(.compiles), .tiered)
struct ManagedClassTests {
  private static let app = SharedLibrary(
    module: "Photos",
    [
      "Photos.swift": """
      import CoreData

      class Photo: NSManagedObject {
        @NSManaged var title: String?
        @NSManaged var length: Int64
        @NSManaged var album: Album?
        var told: [String] = []

        override func willChangeValue(forKey key: String) {
          super.willChangeValue(forKey: key)
          told.append("will " + key)
        }
      }

      extension Photo {
        override func didChangeValue(forKey key: String) {
          super.didChangeValue(forKey: key)
          told.append("did " + key)
          if key == #keyPath(Photo.title) { length = Int64(title?.count ?? 0) }
        }
      }

      class Portrait: Photo {
        var loud: String {
          get { title ?? "" }
          set {
            willChangeValue(forKey: "title")
            setPrimitiveValue(newValue.uppercased(), forKey: "title")
            didChangeValue(forKey: "title")
          }
        }
      }

      final class Album: NSManagedObject {
        @NSManaged var name: String
        @NSManaged var photos: Set<Photo>

        init(context: NSManagedObjectContext, name: String) {
          let entity = NSEntityDescription.entity(forEntityName: "Album", in: context)!
          super.init(entity: entity, insertInto: context)
          self.name = name
        }
      }

      final class Checks: NSEntityMigrationPolicy {
        private lazy var context: NSManagedObjectContext = {
          func attribute(_ name: String, _ type: NSAttributeType) -> NSAttributeDescription {
            let attribute = NSAttributeDescription()
            attribute.name = name
            attribute.attributeType = type
            attribute.isOptional = true
            return attribute
          }
          func entity(_ name: String) -> NSEntityDescription {
            let entity = NSEntityDescription()
            entity.name = name
            entity.managedObjectClassName = "Photos." + name
            return entity
          }
          let (photo, portrait, album) = (entity("Photo"), entity("Portrait"), entity("Album"))
          let (up, down) = (NSRelationshipDescription(), NSRelationshipDescription())
          (up.name, up.destinationEntity, up.inverseRelationship) = ("album", album, down)
          (down.name, down.destinationEntity, down.inverseRelationship) = ("photos", photo, up)
          (up.maxCount, down.maxCount) = (1, 0)
          photo.properties = [attribute("title", .stringAttributeType), attribute("length", .integer64AttributeType), up]
          album.properties = [attribute("name", .stringAttributeType), down]
          photo.subentities = [portrait]
          let model = NSManagedObjectModel()
          model.entities = [photo, portrait, album]
          let container = NSPersistentContainer(name: "Photos", managedObjectModel: model)
          let description = NSPersistentStoreDescription()
          description.type = NSInMemoryStoreType
          container.persistentStoreDescriptions = [description]
          container.loadPersistentStores { _, _ in }
          return container.viewContext
        }()

        @objc func hears(_ way: String) -> String {
          let portrait = Portrait(context: context)
          switch way {
          case "set": portrait.title = "one"
          case "key": portrait.setValue("one", forKey: "title")
          case "own": portrait.loud = "one"
          case "link": portrait.album = Album(context: context, name: "best")
          case "primitive": portrait.setPrimitiveValue("one", forKey: "title")
          default: break
          }
          return (portrait.told + [portrait.title ?? "-", "\\(portrait.length)"]).joined(separator: ", ")
        }

        @objc func made(_ name: String) -> String {
          _ = Album(context: context, name: name)
          try! context.save()
          context.reset()
          let albums = try! context.fetch(NSFetchRequest<Album>(entityName: "Album"))
          return "\\(albums.map(\\.name))"
        }

        @objc func inserted(_ name: String) -> String {
          "\\(NSEntityDescription.insertNewObject(forEntityName: "Album", into: context))"
        }
      }
      """
    ])

  @Test(arguments: [
    ("set", "will title, did title, will length, did length, one, 3"),
    ("key", "will title, did title, will length, did length, one, 3"),
    ("own", "will title, did title, will length, did length, ONE, 3"),
    ("link", "will album, did album, -, 0"), ("primitive", "one, 0"),
  ])
  func whatOverridesTheTellingOfChangesHearsOfThem(way: String, told: String) async throws {
    #expect(try await Self.app.value.call("hears:", of: "Photos.Checks", way) == told)
  }

  /// As on a device, where rows become objects by another initializer.
  @Test func aClassWithAnInitializerOfItsOwnIsFetched() async throws {
    #expect(try await Self.app.value.call("made:", of: "Photos.Checks", "best") == #"["best"]"#)
  }

  @Test func suchAClassIsNotInsertedByCoreData() async throws {
    let app = try await Self.app.value
    let error = #expect(throws: CoreDataError.self) {
      try app.call("inserted:", of: "Photos.Checks", "")
    }
    #expect(
      error?.reason
        == "Use of unimplemented initializer 'init(entity:insertInto:)' for class 'Photos.Album'")
  }
}
