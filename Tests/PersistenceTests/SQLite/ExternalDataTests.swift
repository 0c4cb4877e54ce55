import TestSupport
import Testing

@testable import Persistence

@Suite("External binary data of an SQLite store")
struct ExternalDataTests: StoreSuite {
  let place: StorePlace
  let store: SQLiteStore

  init() throws {
    place = try StorePlace(named: "Album.sqlite")
    store = try SQLiteStore.create(at: place.url, model: try StoreShape.external.model())
  }

  private var files: [String] {
    get throws {
      let files = PersistentStoreFiles(url).externalDataFolderURL
      return FileManager.default.fileExists(atPath: files.path) ? try contents(of: files) : []
    }
  }

  @Test func smallValuesAreInTheColumnWithATag() throws {
    var writing = StoreWriting(store)
    try writing.insert("Picture", ["photo": .data(Data([7, 8])), "thumbnail": .data(Data([9]))])
    try writing.insert("Picture", ["photo": .data(Data())])
    try writing.insert("Picture")
    try writing.save()
    #expect(
      try store.database.texts(
        "SELECT quote(ZPHOTO) || quote(ZTHUMBNAIL) FROM ZPICTURE")
        == ["X'010708'X'09'", "X'01'NULL", "NULLNULL"])
    #expect(
      try store.rows("Picture").map { $0.value("photo") }
        == [.data(Data([7, 8])), .data(Data()), .null])
    #expect(try files == [])
  }

  @Test func largeValuesAreInFilesOfTheirOwn() throws {
    let (limit, large) = (Data(repeating: 1, count: 102_400), Data(repeating: 2, count: 102_401))
    var writing = StoreWriting(store)
    try writing.insert("Picture", ["photo": .data(limit)])
    try writing.insert("Picture", ["photo": .data(large), "thumbnail": .data(large)])
    try writing.save()
    let file = try #require(try files.first)
    #expect(try files.count == 1)
    #expect(UUID(uuidString: file) != nil && file == file.uppercased())
    #expect(
      try store.database.texts("SELECT hex(ZPHOTO) FROM ZPICTURE WHERE Z_PK = 2")
        == ["02" + file.utf8.map { String($0, radix: 16, uppercase: true) }.joined() + "00"])
    #expect(try store.rows("Picture").map { $0.value("photo") } == [.data(limit), .data(large)])
    #expect(try contents(of: folder.url).contains(".Album_SUPPORT"))
  }

  @Test func filesGoWithTheirValues() throws {
    var writing = StoreWriting(store)
    let ids = try (0..<3).map {
      try writing.insert("Picture", ["photo": .data(Data(repeating: $0, count: 200_000))])
    }
    try writing.save()
    let before = try files
    #expect(before.count == 3)
    writing.delete(ids[0])
    writing.update(try #require(try store.row(for: ids[1])), ["photo": .null])
    writing.update(try #require(try store.row(for: ids[2])), ["name": .string("new")])
    try writing.save()
    #expect(try files.count == 1)
    #expect(
      try store.row(for: ids[2])?.value("photo") == .data(Data(repeating: 2, count: 200_000)))
  }

  @Test func aRefusedSaveLeavesNoFileAndRemovesNone() throws {
    var writing = StoreWriting(store)
    let id = try writing.insert("Picture", ["photo": .data(Data(count: 200_000))])
    try writing.save()
    let before = try files
    try writing.insert("Picture", ["photo": .data(Data(count: 300_000))])
    writing.delete(id, version: 9)
    #expect(throws: CoreDataError.self) { try writing.save() }
    #expect(try files == before)
  }

  @Test func aBulkThatIsGivenUpChangesNoFile() throws {
    var writing = StoreWriting(store)
    let photo = Data(repeating: 1, count: 200_000)
    let id = try writing.insert("Picture", ["photo": .data(photo)])
    try writing.save()
    try store.close()
    let before = try files

    let again = try SQLiteStore.open(at: url, model: store.model)
    try again.beginBulk()
    var changing = StoreWriting(again)
    changing.update(
      try #require(try again.row(for: id)), ["photo": .data(Data(count: 300_000))])
    try changing.insert("Picture", ["photo": .data(Data(count: 400_000))])
    try changing.save()
    #expect(try files.count == 3)
    try again.discard()
    #expect(try files == before)
    let rows = try SQLiteStore.openReadOnly(at: url, model: store.model).rows("Picture")
    #expect(rows.map { $0.value("photo") } == [.data(photo)])
  }

  @Test func aBulkRemovesReplacedFilesWhenItEnds() throws {
    try store.beginBulk()
    var writing = StoreWriting(store)
    let id = try writing.insert("Picture", ["photo": .data(Data(count: 200_000))])
    try writing.save()
    writing.update(try #require(try store.row(for: id)), ["photo": .data(Data(count: 300_000))])
    try writing.save()
    try store.endBulk()
    #expect(try files.count == 1)
    #expect(try store.row(for: id)?.value("photo") == .data(Data(count: 300_000)))
  }

  @Test func aMissingFileIsAFinding() throws {
    var writing = StoreWriting(store)
    let id = try writing.insert(
      "Picture", ["photo": .data(Data(count: 200_000)), "name": .string("x")])
    try writing.save()
    let file = try #require(try files.first)
    try PersistentStoreFiles(url).supportFolderURL.removeSelf()
    #expect(try store.rows("Picture")[0].value("photo") == .null)
    #expect(try store.rows("Picture")[0].value("name") == .string("x"))
    #expect(
      store.findings == [
        StoreFinding(
          kind: .missingExternalFile(file), entity: "Picture", property: "photo",
          object: id.description)
      ])
    #expect(store.findings[0].description.contains("missing; read as nil"))
  }

  @Test func anUnknownTagIsAFinding() throws {
    try store.database.execute(
      "INSERT INTO ZPICTURE (Z_PK, Z_ENT, Z_OPT, ZPHOTO) VALUES (1, 1, 1, X'FFD8')")
    #expect(try store.rows("Picture")[0].value("photo") == .null)
    #expect(store.findings.map(\.kind) == [.unknownExternalTag(0xFF)])
  }

  @Test func aReferenceNeverLeadsOutOfTheFolder() throws {
    try folder.write("secret", to: "secret")
    let reference = "'../../secret' || char(0)"
    try store.database.execute(
      """
      INSERT INTO ZPICTURE (Z_PK, Z_ENT, Z_OPT, ZPHOTO)
      VALUES (1, 1, 1, CAST(X'02' || CAST(\(reference) AS BLOB) AS BLOB))
      """)
    #expect(try store.rows("Picture")[0].value("photo") == .null)
    #expect(store.findings.map(\.kind) == [.missingExternalFile("../../secret")])
  }
}

extension URL {
  fileprivate func removeSelf() throws { try FileManager.default.removeItem(at: self) }
}
