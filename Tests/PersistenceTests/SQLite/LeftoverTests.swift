import TestSupport
import Testing

@testable import Persistence

/// What killed processes leave beside a store's place goes with the next one that comes; what the
/// living need, and what only looks alike, stays.
@Suite("Leftovers of dead processes")
struct LeftoverTests {
  let folder: TemporaryFolder
  let model: ManagedObjectModel
  let place: PersistentStoreFiles

  init() throws {
    folder = try TemporaryFolder()
    model = try StoreShape.external.model()
    place = PersistentStoreFiles(folder.url.appending(path: "App.sqlite"))
  }

  private var names: [String] {
    get throws { try contents(of: folder.url) }
  }

  /// A store with one picture in a file of its own.
  private func fill(_ files: PersistentStoreFiles, photo: UInt8) throws {
    let store = try SQLiteStore.create(at: files.url, model: model)
    var writing = StoreWriting(store)
    try writing.insert("Picture", ["photo": .data(Data(repeating: photo, count: 150_000))])
    try writing.save()
    try store.close()
  }

  private func photo(_ files: PersistentStoreFiles) throws -> UInt8? {
    let store = try SQLiteStore.openReadOnly(at: files.url, model: model)
    let row = try #require(try store.rows("Picture").first)
    guard case .data(let photo) = row.value("photo") else { return nil }
    return photo.first
  }

  private func externals(_ files: PersistentStoreFiles) throws -> [String] {
    try contents(of: files.externalDataFolderURL)
  }

  /// A neighbour of the place, of which nobody holds the lock.
  private func deadNeighbour(_ number: Int = 1, noting lines: [String] = []) throws
    -> PersistentStoreFiles
  {
    let name = ".App.sqlite.migrationdestination_0000000\(number)"
    try folder.write(lines.map { $0 + "\n" }.joined(), to: name + "-lock")
    return PersistentStoreFiles(folder.url.appending(path: name))
  }

  @Test func aPlaceIsReservedForOneUntilItIsGivenBack() throws {
    #expect(try place.reservePlace())
    let lock = ".App.sqlite.migrationdestination_reserved-lock"
    #expect(try names == [lock])
    #expect(try !place.reservePlace())
    #expect(try PersistentStoreFiles(folder.url.appending(path: "Other.sqlite")).reservePlace())
    PersistentStoreFiles(folder.url.appending(path: "Other.sqlite")).giveBackPlace()
    place.removeLeftovers()
    #expect(try names == [lock])
    place.giveBackPlace()
    #expect(try names == [])
    #expect(try place.reservePlace())
    place.giveBackPlace()
  }

  @Test func aReservationOfADeadProcessGoes() throws {
    try folder.write("", to: ".App.sqlite.migrationdestination_reserved-lock")
    #expect(try !place.reservePlace())
    place.removeLeftovers()
    #expect(try names == [])
    #expect(try place.reservePlace())
    place.giveBackPlace()
    #expect(try names == [])
  }

  @Test func aLivingNeighbourStays() throws {
    let neighbour = try place.makeTemporaryNeighbour()
    try fill(neighbour, photo: 1)
    let before = try names
    #expect(before.count == 3)
    place.removeLeftovers()
    #expect(try names == before)
    try neighbour.remove()
    #expect(try names == [])
  }

  @Test func aDeadNeighbourGoesWithAllItsFiles() throws {
    let neighbour = try deadNeighbour()
    try fill(neighbour, photo: 1)
    for part in ["-wal", "-shm", "-journal"] {
      try folder.write("", to: neighbour.url.lastPathComponent + part)
    }
    #expect(try names.count == 6)
    // Making another one is what notices it.
    try place.makeTemporaryNeighbour().remove()
    #expect(try names == [])
  }

  @Test func neighboursOfANeighbourAreTheStoresOwn() throws {
    let first = try place.makeTemporaryNeighbour()
    let second = try first.makeTemporaryNeighbour()
    let prefix = ".App.sqlite.migrationdestination_"
    #expect(second.url.lastPathComponent.hasPrefix(prefix))
    #expect(second.url.lastPathComponent.count == prefix.count + 8)
    try second.remove()
    try first.remove()
    #expect(try names == [])
  }

  @Test func whatOnlyLooksAlikeStays() throws {
    let alike = [
      ".App.sqlite.migrationdestination_12345678",  // without a lock: nobody knows whose
      ".App.sqlite.migrationdestination_123456789-lock", ".App.sqlite.migrationdestination_-lock",
      ".Other.sqlite.migrationdestination_12345678-lock", "App.sqlite-lock", "App.sqlite",
    ]
    for name in alike { try folder.write("mine", to: name) }
    let link = folder.url.appending(path: ".App.sqlite.migrationdestination_87654321-lock")
    try FileManager.default.createSymbolicLink(
      at: link, withDestinationURL: folder.url.appending(path: "App.sqlite"))
    let before = try names
    place.removeLeftovers()
    #expect(try names == before)
  }

  // MARK: Killed while one store takes another's place

  @Test func beforeTheRenameTheOldStoreCounts() throws {
    try fill(place, photo: 1)
    let old = try externals(place)
    let neighbour = try deadNeighbour(noting: ["+NEW", "-\(old[0])"])
    try fill(neighbour, photo: 2)
    try Data([2]).write(to: place.externalDataFolderURL.appending(path: "NEW"))
    place.removeLeftovers()
    #expect(try names == [".App_SUPPORT", "App.sqlite"])
    #expect(try externals(place) == old)
    #expect(try photo(place) == 1)
  }

  @Test func whereNothingWasBeforeNothingIsAfterwards() throws {
    let neighbour = try deadNeighbour(noting: ["+NEW"])
    try fill(neighbour, photo: 2)
    try folder.write("", to: ".App_SUPPORT/_EXTERNAL_DATA/NEW")
    place.removeLeftovers()
    #expect(try names == [])
  }

  @Test func afterTheRenameTheNewStoreCounts() throws {
    try fill(place, photo: 2)
    let new = try externals(place)
    _ = try deadNeighbour(noting: ["+\(new[0])", "-OLD"])
    try Data([1]).write(to: place.externalDataFolderURL.appending(path: "OLD"))
    try folder.write("", to: "..App.sqlite.migrationdestination_00000001_SUPPORT/_EXTERNAL_DATA/X")
    place.removeLeftovers()
    #expect(try names == [".App_SUPPORT", "App.sqlite"])
    #expect(try externals(place) == new)
    #expect(try photo(place) == 2)
  }

  @Test func aNoteThatWasCutOffOrPointsElsewhereHarmsNothing() throws {
    try fill(place, photo: 1)
    let before = try folder.contents()
    try folder.write(
      "-../../App.sqlite\n-../App", to: ".App.sqlite.migrationdestination_00000001-lock")
    place.removeLeftovers()
    #expect(try folder.contents() == before)
  }

  @Test func aPlaceThatCannotBeTakenGivesLargeValuesBack() throws {
    let neighbour = try place.makeTemporaryNeighbour()
    try fill(neighbour, photo: 3)
    let external = try externals(neighbour)
    // A folder can't be replaced by a file.
    try folder.write("", to: "App.sqlite/file")
    #expect(throws: CoreDataError.self) { try place.replace(by: neighbour) }
    #expect(try externals(neighbour) == external)
    #expect(try photo(neighbour) == 3)
    #expect(!FileManager.default.fileExists(atPath: place.supportFolderURL.path))
    try neighbour.remove()
    #expect(try names == ["App.sqlite"])
  }

  // MARK: Copies for reading

  @Test func copiesForReadingLieInAFolderThatGoes() throws {
    let folder = try TemporaryFiles.makeFolder()
    let lock = folder.path + "-lock"
    #expect(FileManager.default.fileExists(atPath: lock))
    #expect(FileLock.ofDead(at: URL(filePath: lock)) == nil, "it is held")
    TemporaryFiles.removeFolder(folder)
    #expect(!FileManager.default.fileExists(atPath: folder.path))
    #expect(!FileManager.default.fileExists(atPath: lock))
  }
}
