import ObjectModel
import Testing

@Suite struct ValueTests {
  static let uuid = UUID(uuidString: "00112233-4455-6677-8899-AABBCCDDEEFF")!
  static let moment = Date(timeIntervalSinceReferenceDate: 1.5)

  /// What a policy may pass to `setValue(_:forKey:)`, with the value it means.
  nonisolated(unsafe) static let boxes: [(Any?, Value)] = [
    (nil, .null), (NSNull(), .null), (Optional<String>.none as Any, .null),
    (Optional("x") as Any, .string("x")), (Optional(Optional(7)) as Any, .integer(7)),
    ("text", .string("text")), (NSString("text"), .string("text")),
    (NSMutableString("text"), .string("text")), (7, .integer(7)), (Int8(-7), .integer(-7)),
    (Int16(7), .integer(7)), (Int32(7), .integer(7)), (Int64(7), .integer(7)),
    (UInt(7), .integer(7)), (NSNumber(value: 7), .integer(7)), (NSNumber(value: 7.5), .double(7.5)),
    (NSNumber(value: Float(0.5)), .double(0.5)), (NSNumber(value: true), .integer(1)),
    (true, .integer(1)), (2.5, .double(2.5)), (Float(0.5), .double(0.5)),
    (Decimal(7), .decimal(7)), (NSDecimalNumber(string: "0.1"), .decimal(Decimal(string: "0.1")!)),
    (moment, .date(moment)), (moment as NSDate, .date(moment)), (Data([1]), .data(Data([1]))),
    (NSData(data: Data([1])), .data(Data([1]))), (uuid, .uuid(uuid)), (uuid as NSUUID, .uuid(uuid)),
    (URL(string: "a:b")!, .uri(URL(string: "a:b")!)),
    (NSURL(string: "a:b")!, .uri(URL(string: "a:b")!)),
    ([1, 2], .collection(ValueCollection(.array, [.integer(1), .integer(2)]))),
    (NSArray(array: ["a"]), .collection(ValueCollection(.array, [.string("a")]))),
    (Set(["a"]), .collection(ValueCollection(.set, [.string("a")]))),
    (NSSet(object: "a"), .collection(ValueCollection(.set, [.string("a")]))),
    (
      NSOrderedSet(array: ["b", "a"]),
      .collection(ValueCollection(.orderedSet, [.string("b"), .string("a")]))
    ),
    (Value.integer(3), .integer(3)),
  ]

  @Test func objectsOfEveryKindBecomeValues() {
    for (object, value) in Self.boxes {
      #expect(Value(object) == value, "\(object.map { "\(type(of: $0)) \($0)" } ?? "nil")")
    }
  }

  @Test func objectsOfOtherClassesAreKept() {
    let object = NSObject()
    #expect(Value(object) == .object(object))
    guard case .transformable = Value(["key": 1]) else {
      Issue.record("a dictionary is no value of its own")
      return
    }
  }

  @Test func numbersAreBoxedForCastsToAnyWidth() throws {
    let boxed = try #require(Value.integer(7).boxed(as: .integer16))
    #expect(boxed as? Int == 7)
    #expect(boxed as? Int16 == 7)
    #expect(boxed as? Double == 7)
    #expect(Value.integer(1).boxed(as: .boolean) as? Bool == true)
    #expect(Value.double(0.1).boxed(as: .float) as? Float == 0.1)
    #expect(Value.null.boxed(as: .string) == nil)
  }

  @Test(
    "An attribute takes values of its type only",
    arguments: [
      (.integer64, .double(3.7), .integer(3)), (.boolean, .integer(5), .integer(1)),
      (.double, .integer(2), .double(2)), (.decimal, .integer(2), .decimal(2)),
      (.string, .integer(2), nil), (.integer64, .string("2"), nil), (.date, .double(0), nil),
      (.integer64, .double(.nan), nil), (.uuid, .string(uuid.uuidString), nil),
      (.string, .null, .null),
    ] as [(AttributeType, Value, Value?)])
  func attributesAreStrict(type: AttributeType, value: Value, fitting: Value?) {
    #expect(value.coerced(to: type) == fitting)
  }

  @Test func aRefusedValueIsNamed() {
    let attribute = AttributeDescription(name: "title", type: .string)
    let error = #expect(throws: CoreDataError.self) { try Value(7, for: attribute) }
    #expect(
      error?.reason
        == "Unacceptable type of value for attribute: property = \"title\"; "
        + "desired type = NSString; given type = __NSCFNumber; value = 7.")
  }

  @Test func equalityIsByTypeAndCodeUnit() {
    #expect(Value.integer(1) != .double(1))
    #expect(Value.double(.nan) == .double(.nan))
    #expect(Value.string("é") != .string("e\u{301}"))
    #expect(Value.string("") == .string(""))
    let long = String(repeating: "abc", count: 50)
    #expect(
      Set([Value.string(long), .string(String(decoding: long.utf8, as: UTF8.self)), .string("a")])
        .count == 2)
  }
}

@Suite struct TransformableValueTests {
  @Test func foundationsObjectsAreOpened() throws {
    let bytes = try TransformableValue(object: ["a", "b"] as NSArray).archived()
    let value = TransformableValue(archived: bytes)
    #expect(value.object as? [String] == ["a", "b"])
    #expect(try value.archived() == bytes)
  }

  @Test func oneObjectHasOneArchive() throws {
    let archives = try (0..<50).map { _ in
      try TransformableValue(object: ["a": [1, 2], "b": "å", "c": 0.5] as NSDictionary).archived()
    }
    #expect(Set(archives.map { $0.count }).count == 1)
    let lists = try (0..<50).map { _ in
      try TransformableValue(object: ["a", Data([1]), Date(timeIntervalSince1970: 0)] as NSArray)
        .archived()
    }
    #expect(Set(lists).count == 1)
    #expect(
      TransformableValue(archived: lists[0]).object as? NSArray == TransformableValue(
        object: ["a", Data([1]), Date(timeIntervalSince1970: 0)] as NSArray
      ).object as? NSArray)
  }

  @Test func archivesInAnotherOrderAreEqual() throws {
    let archive = try TransformableValue(object: ["a", "b"] as NSArray).archived()
    let plist = try PropertyListSerialization.propertyList(from: archive, format: nil)
    var other = archive
    // Foundation's own order is another each time.
    for _ in 0..<100 where other == archive {
      other = try PropertyListSerialization.data(
        fromPropertyList: plist, format: .binary, options: 0)
    }
    let (a, b) = (TransformableValue(archived: archive), TransformableValue(archived: other))
    #expect(Value.transformable(a) == .transformable(b))
    let changed = TransformableValue(object: ["a", "c"] as NSArray)
    #expect(Value.transformable(a) != .transformable(changed))
  }

  @Test func whatCannotBeOpenedStaysBytes() {
    let writer = KeyedArchiveWriter()
    let foreign = writer.data(root: writer.add("App.Color", fields: ["red": .integer(1)]))
    let sound = writer.data(root: writer.add("text"))
    for bytes in [Data(), Data("plain".utf8), foreign, sound.dropLast(), Data("bplist00".utf8)] {
      #expect(TransformableValue(archived: bytes).object as? Data == bytes)
    }
  }
}
