import TestSupport
import Testing

@testable import Commands
@testable import PolicyCompiler
@testable import Scenarios
@testable import Terminal

/// The policy of "Manual Core Data Migrations – Lessons Learned", as its author published it, with
/// the classes of his app as Xcode generates them.
@Suite(.tags(.compiles), .tiered)
struct SongbookPolicyTests {
  private static let policySource = """
    import Foundation
    import CoreData

    class LegacyToModernPolicy: NSEntityMigrationPolicy {

        static func find(entityName: String,
                         in context: NSManagedObjectContext,
                         sortDescriptors: [NSSortDescriptor],
                         with predicate: NSPredicate? = nil,
                         limit: Int? = nil) throws -> [NSManagedObject] {

            let fetchRequest: NSFetchRequest<NSManagedObject> = NSFetchRequest(entityName: entityName)
            fetchRequest.predicate = predicate
            fetchRequest.sortDescriptors = sortDescriptors
            if let limit = limit {
                fetchRequest.fetchLimit = limit
            }

            do {
                let results = try context.fetch(fetchRequest)
                return results
            } catch {
                log.error("Error fetching: \\(error.localizedDescription)")
                throw error
            }
        }

        func songDataLengthOfText(_ text: String?) -> Int {
            return text?.utf8.count ?? 0
        }

        override func createDestinationInstances(forSource sInstance: NSManagedObject, in mapping: NSEntityMapping, manager: NSMigrationManager) throws {

            let dInstance = NSEntityDescription.insertNewObject(forEntityName: mapping.destinationEntityName!, into: manager.destinationContext)

            let text = sInstance.value(forKey: "text") as! String?

            dInstance.setValue(sInstance.value(forKey: "lastModified"), forKey: #keyPath(Song.createdAt))
            dInstance.setValue(sInstance.value(forKey: "lastModified"), forKey: #keyPath(Song.updatedAt))
            dInstance.setValue("txt",                                   forKey: #keyPath(Song.fileExtension))
            dInstance.setValue(sInstance.value(forKey: "filename"), forKey: #keyPath(Song.filename))
            dInstance.setValue(sInstance.value(forKey: "name"), forKey: #keyPath(Song.title))
            dInstance.setValue(self.songDataLengthOfText(text), forKey: #keyPath(Song.songDataLength))
            dInstance.setValue(text, forKey: #keyPath(Song.text))
            dInstance.setValue(SongDataType.plainText.rawValue, forKey: #keyPath(Song.typeRaw))
            dInstance.setValue(nil, forKey: #keyPath(Song.userInfoData))

            manager.associate(sourceInstance: sInstance, withDestinationInstance: dInstance, for: mapping)
            return
        }

        @objc func libraryForManager(_ manager: NSMigrationManager) -> NSManagedObject {

            do {
                var library: NSManagedObject? = try LegacyToModernPolicy.find(entityName: Library.entity().name!,
                                                        in: manager.destinationContext,
                                                        sortDescriptors: [NSSortDescriptor(key: "filename", ascending: true)],
                                                        with: nil,
                                                        limit: 1).first
                if library == nil {
                    let dInstance = NSEntityDescription.insertNewObject(forEntityName: Library.entity().name!, into: manager.destinationContext)

                    // awakeFromInsert is not called, so I have to do the things I did there, here:
                    dInstance.setValue(Library.libraryFilename, forKey: #keyPath(Library.filename))
                    dInstance.setValue(NSDate(timeIntervalSince1970: 0), forKey: #keyPath(Library.updatedAt))
                    library = dInstance
                }

                return library!

            } catch {
                fatalError("Not sure why this is failing!")
            }
        }

        @objc func filename(forLibraryWith manager: NSMigrationManager) -> String {
            return "library.json"
        }
    }
    """

  private static let modelSource = """
    import Foundation
    import CoreData

    enum SongDataType: Int16 {
        case plainText = 1, chordPro
    }

    struct Log {
        func error(_ message: String) { print(message) }
    }
    let log = Log()

    @objc(Library)
    public class Library: NSManagedObject {
        static let libraryFilename = "main.library"
        override public func awakeFromInsert() {
            super.awakeFromInsert()
            filename = Library.libraryFilename
        }
    }

    extension Library {
        @nonobjc public class func fetchRequest() -> NSFetchRequest<Library> {
            return NSFetchRequest<Library>(entityName: "Library")
        }
        @NSManaged public var filename: String?
        @NSManaged public var updatedAt: NSDate?
        @NSManaged public var songs: NSSet?
    }

    extension Library {
        @objc(addSongsObject:)
        @NSManaged public func addToSongs(_ value: Song)

        @objc(addSongs:)
        @NSManaged public func addToSongs(_ values: NSSet)
    }

    @objc(Song)
    public class Song: NSManagedObject {
        @NSManaged public var createdAt: NSDate?
        @NSManaged public var updatedAt: NSDate?
        @NSManaged public var fileExtension: String?
        @NSManaged public var filename: String?
        @NSManaged public var title: String?
        @NSManaged public var songDataLength: Int64
        @NSManaged public var text: String?
        @NSManaged public var typeRaw: Int16
        @NSManaged public var userInfoData: NSData?
        @NSManaged public var library: Library?
    }
    """

  /// Compiled once for all tests here.
  private static let library = SharedLibrary(
    module: "SongbookSimple",
    ["LegacyToModernPolicy.swift": policySource, "Models.swift": modelSource])

  private func migration() throws -> PolicyMigration {
    let legacy = EntityDescription(
      "OldSong",
      [
        .attribute("name", .string), .attribute("filename", .string), .attribute("text", .string),
        .attribute("lastModified", .date),
      ])
    let song = EntityDescription(
      "Song",
      [
        .attribute("createdAt", .date), .attribute("updatedAt", .date),
        .attribute("fileExtension", .string), .attribute("filename", .string),
        .attribute("title", .string), .attribute("songDataLength", .integer64),
        .attribute("text", .string), .attribute("typeRaw", .integer16),
        .attribute("userInfoData", .binaryData),
        .relationship("library", to: "Library", inverse: "songs"),
      ])
    let library = EntityDescription(
      "Library",
      [
        .attribute("filename", .string), .attribute("updatedAt", .date),
        .relationship("songs", to: "Song", toMany: true, inverse: "library"),
      ])
    song.managedObjectClassName = "SongbookSimple.Song"
    library.managedObjectClassName = "SongbookSimple.Library"
    return try PolicyMigration(from: [legacy], to: [song, library])
  }

  @Test func migratesSongsIntoOneLibrary() async throws {
    let policies = try await Self.library.value
    let migration = try migration()
    for (name, text) in [("Hey", "la la"), ("Joe", "")] {
      try migration.seed(
        "OldSong",
        [
          "name": name, "filename": "\(name).txt", "text": text,
          "lastModified": Date(timeIntervalSince1970: 86400),
        ])
    }
    try migration.run(
      [
        try EntityMapping(
          "OldSong", "Song", policy: "SongbookSimple.LegacyToModernPolicy",
          relationships: ["library": #"FUNCTION($entityPolicy, "libraryForManager:", $manager)"#])
      ], policies)
    let songKeys = [
      "title", "filename", "fileExtension", "songDataLength", "typeRaw", "createdAt", "updatedAt",
      "userInfoData",
    ]
    #expect(
      try migration.dump("Song", songKeys) == [
        "Hey Hey.txt txt 5 1 @86400 @86400 -", "Joe Joe.txt txt 0 1 @86400 @86400 -",
      ])
    #expect(try migration.dump("Library", ["filename", "updatedAt"]) == ["main.library @0"])
  }

  @Test func setsAnAttributeByASelectorWithAPreposition() async throws {
    let policies = try await Self.library.value
    let migration = try migration()
    try migration.seed("OldSong", ["name": "Hey"])
    try migration.run(
      [
        try EntityMapping(
          "OldSong", "Library", policy: nil,
          attributes: ["filename": #"$source.name"#])
      ], policies)
    #expect(try migration.dump("Library", ["filename"]) == ["Hey"])
    let policy = try policies.policy("SongbookSimple.LegacyToModernPolicy")
    let manager = MigrationManager(
      sourceModel: migration.source.model, destinationModel: migration.destination.model)
    #expect(
      try policy.callFunction(selector: "filenameForLibraryWith:", arguments: [.object(manager)])
        == .string("library.json"))
  }

  @Test func findsThePolicyByModuleAndClassOnly() async throws {
    let policies = try await Self.library.value
    #expect(policies.policyNames == ["SongbookSimple.LegacyToModernPolicy"])
    let migration = try migration()
    let error = #expect(throws: CoreDataError.self) {
      try migration.run(
        [try EntityMapping("OldSong", "Song", policy: "LegacyToModernPolicy")], policies)
    }
    #expect(
      error?.reason == "Couldn't create mapping policy for class named (LegacyToModernPolicy)")
    #expect(error?.code == .migration)
  }
}
