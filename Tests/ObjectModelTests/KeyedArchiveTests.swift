import ObjectModel
import Testing

@Suite struct KeyedArchiveTests {
  @Test func foundationsOwnArchivesAreRead() throws {
    let now = Date(timeIntervalSinceReferenceDate: 700_000_000.5)
    let content: NSDictionary = [
      "text": "Überschrift", "number": NSNumber(value: -7), "real": NSNumber(value: 0.25),
      "data": Data([1, 2, 3]), "date": now, "list": ["a", "b"] as NSArray,
      "set": NSSet(object: "only"),
    ]
    let data = try NSKeyedArchiver.archivedData(
      withRootObject: content, requiringSecureCoding: false)
    let root = try KeyedArchive(data).root

    #expect(root.entries.count == 7)
    #expect(root["text"].stringValue == "Überschrift")
    #expect(root["number"].integerValue == -7)
    #expect(root["real"].doubleValue == 0.25)
    #expect(root["data"].dataValue == Data([1, 2, 3]))
    #expect(root["date"].dateValue == now)
    #expect(root["list"].elements.map(\.stringValue) == ["a", "b"])
    #expect(root["set"].elements.map(\.stringValue) == ["only"])
  }

  /// Foundation's archiver writes what is equal once; a device's goes by identity.
  @Test func equalNumbersAndTextsOfOneValueStayWhatTheyAre() throws {
    let (composed, decomposed) = ("\u{E9}", "e\u{301}")
    let content: NSDictionary = [
      "count": 1, "isDark": true, "share": 1.0, "list": [0, false, 0.0, -0.0] as NSArray,
      "texts": [composed, decomposed] as NSArray,
    ]
    let archive = try TransformableValue(object: content).archived()
    let root = try KeyedArchive(archive).root
    #expect(
      ["count", "isDark", "share"].map { "\(root[$0])" } == [
        "integer(1)", "bool(true)", "real(1.0)",
      ])
    #expect(
      root["list"].elements.map { "\($0)" }
        == ["integer(0)", "bool(false)", "real(0.0)", "real(-0.0)"])
    #expect(
      root["texts"].elements.map { $0.stringValue.map { Array($0.utf8) } }
        == [Array(composed.utf8), Array(decomposed.utf8)])
    #expect(TransformableValue(archived: archive).object as? NSDictionary == content)
  }

  @Test(
    arguments: [
      (1, true), (1, 1.0), (0, false), ("1", 1), ([1], [true]), (["a": 1], ["a": true]),
      (["a": 1], ["a": 1.0]), ("\u{E9}", "e\u{301}"),
    ] as [(any Sendable, any Sendable)])
  func valuesOfOtherKindsAreNotEqual(_ one: any Sendable, _ other: any Sendable) throws {
    func value(_ object: Any) -> Value { .transformable(TransformableValue(object: object)) }
    func read(_ object: Any) throws -> Value {
      .transformable(
        TransformableValue(archived: try TransformableValue(object: object).archived()))
    }
    #expect(try value(one) == read(one))
    #expect(value(one) != value(other))
    #expect(try value(one) != read(other))
  }

  @Test func objectsOfUnknownClassesKeepTheirFieldsAndCircles() throws {
    let writer = KeyedArchiveWriter()
    let cover = writer.reserve()
    let page = writer.add(
      "App.Page", fields: ["number": .integer(300), "cover": .reference(cover)])
    let pages = writer.add(array: [page, page])
    writer.define(
      cover, as: ["App.Cover", "App.Paper"],
      fields: [("pages", .reference(pages)), ("title", .reference(writer.add("Ω")))])
    let archive = try KeyedArchive(writer.data(root: cover))

    let root = try #require(archive.root.objectValue)
    #expect(root.className == "App.Cover")
    #expect(root.classNames == ["App.Cover", "App.Paper", "NSObject"])
    #expect(root.keys == ["pages", "title"])
    #expect(root["title"].stringValue == "Ω")
    #expect(root["missing"].isNull)
    let read = try #require(root["pages"].elements.last?.objectValue)
    #expect(read["number"].integerValue == 300)
    #expect(read["cover"].objectValue == root)
  }

  @Test func numbersOfAllSizesSurvive() throws {
    let numbers: [Int64] = [0, 1, -1, 255, 256, 65_536, 4_294_967_296, .max, .min]
    let writer = KeyedArchiveWriter()
    let list = writer.add(array: numbers.map { writer.add(integer: $0) })
    let root = try KeyedArchive(writer.data(root: list)).root
    #expect(root.elements.map(\.integerValue) == numbers)
  }

  @Test func foundationReadsWhatIsWritten() throws {
    let writer = KeyedArchiveWriter()
    let entry = (
      key: writer.add("name"),
      value: writer.add(array: [writer.add("Ada"), writer.add(integer: 3)])
    )
    let data = writer.data(root: writer.add(dictionary: [entry]))
    let unarchiver = try NSKeyedUnarchiver(forReadingFrom: data)
    unarchiver.requiresSecureCoding = false
    unarchiver.decodingFailurePolicy = .setErrorAndReturn
    let root = unarchiver.decodeObject(forKey: NSKeyedArchiveRootObjectKey) as? NSDictionary
    #expect(unarchiver.error == nil)
    #expect(root == ["name": ["Ada", 3] as NSArray])
  }
}

@Suite struct DamagedArchiveTests {
  @Test func otherDataIsRefusedByName() throws {
    #expect(throws: KeyedArchiveError.self) { try KeyedArchive(Data()) }
    let error = #expect(throws: KeyedArchiveError.self) {
      try KeyedArchive(Data("<?xml version=\"1.0\"?><plist><dict/></plist>      ".utf8))
    }
    #expect(error?.kind == .notABinaryPropertyList)
    let plist = try PropertyListSerialization.data(
      fromPropertyList: ["a": 1], format: .binary, options: 0)
    let other = #expect(throws: KeyedArchiveError.self) { try KeyedArchive(plist) }
    #expect(other?.kind == .notAKeyedArchive(missing: "$objects"))
    #expect(
      other?.description
        == "a property list, but not a keyed archive: '$objects' is missing or of the wrong type")
  }

  @Test func aCollectionThatContainsItselfIsRefused() throws {
    let writer = KeyedArchiveWriter()
    let list = writer.reserve()
    let middle = writer.add(array: [list])
    writer.define(list, as: ["NSArray"], fields: [("NS.objects", .references([middle]))])
    let error = #expect(throws: KeyedArchiveError.self) {
      try KeyedArchive(writer.data(root: list))
    }
    #expect(error?.kind == .endlessNesting(2))
  }

  @Test func deepAndExplodingCollectionsAreRefused() throws {
    for width in [1, 10] {
      let writer = KeyedArchiveWriter()
      var list = writer.add(array: [])
      for _ in 0..<20_000 / width / width {
        list = writer.add(array: Array(repeating: list, count: width))
      }
      let data = writer.data(root: list)
      #expect(throws: KeyedArchiveError.self) { try KeyedArchive(data) }
    }
  }

  @Test("Every truncation and every changed byte gives an error or a value, never a crash")
  func damageNeverCrashes() throws {
    let writer = KeyedArchiveWriter()
    let song = writer.add(
      "App.Song",
      fields: [
        "title": .reference(writer.add("Äther")), "length": .real(3.5), "cover": .data(Data([9])),
        "tags": .reference(writer.add(set: [writer.add("rock")])), "loud": .bool(true),
      ])
    let sound = writer.data(root: writer.add(dictionary: [(key: writer.add("song"), value: song)]))

    #expect(try KeyedArchive(sound).root["song"].objectValue?.keys.count == 5)
    for count in 0..<sound.count {
      #expect(throws: KeyedArchiveError.self) { try KeyedArchive(sound.prefix(count)) }
    }
    for position in sound.indices {
      for byte in [0, 1, 0x0F, 0x7F, 0x80, 0xD1, 0xFF] as [UInt8] {
        var damaged = sound
        damaged[position] = byte
        if let archive = try? KeyedArchive(damaged) { walk(archive.root, depth: 0) }
      }
    }
  }

  private func walk(_ value: ArchivedValue, depth: Int) {
    if depth == 8 { return }
    for element in value.elements { walk(element, depth: depth + 1) }
    for entry in value.entries { walk(entry.value, depth: depth + 1) }
    guard let object = value.objectValue else { return }
    for key in object.keys { walk(object[key], depth: depth + 1) }
  }
}
