import ObjectModel
import Testing

@Suite struct ModelNotationTests {
  @Test(
    "Attributes",
    arguments: [
      ("string", "string required"),
      ("string?", "string"),
      ("string = untitled", "string required default string(\"untitled\")"),
      (#"string? = "two \"words\"" indexed"#, #"string default string("two \"words\"") indexed"#),
      ("string = ''", "string required default string(\"\")"),
      ("string = 1.10", "string required default string(\"1.10\")"),
      ("string(1...80)?", "string from integer(1) to integer(80)"),
      ("string?(1...80)", "string from integer(1) to integer(80)"),
      (#"string(...9, /a\/\d,(b)/)"#, #"string required to integer(9) matching a/\d,(b)"#),
      ("int16(0...) = 3", "integer16 required default integer(3) from integer(0)"),
      ("int32 = -7", "integer32 required default integer(-7)"),
      ("int64 = 0 was length", "integer64 required default integer(0) was length"),
      ("double(-0.5...1e3)", "double required from double(-0.5) to double(1000.0)"),
      ("float = 0.1", "float required default double(0.10000000149011612)"),
      ("decimal = 0.1", "decimal required default decimal(0.1)"),
      ("bool = true", "boolean required default integer(1)"),
      ("bool=NO", "boolean required default integer(0)"),
      ("date = 2012-12-25", "date required default date(2012-12-25 00:00:00 +0000)"),
      (
        "date(2001-01-01...)? = 2012-12-25T19:00:00.5+01:00",
        "date default date(2012-12-25 18:00:00 +0000) from date(2001-01-01 00:00:00 +0000)"
      ),
      ("data(external)", "binaryData required external"),
      ("data = 0x00Ff", "binaryData required default data(2 bytes)"),
      (
        "uuid = E621E1F8-C36C-495A-93FC-0C247A3E6E5F",
        "uuid required default uuid(E621E1F8-C36C-495A-93FC-0C247A3E6E5F)"
      ),
      ("uri = https://example.com/a", "uri required default uri(https://example.com/a)"),
      ("transformable(ColorTransformer)?", "transformable transformer ColorTransformer"),
      ("undefined transient", "undefined required transient"),
      ("int64? derived(media.@count)", "integer64 derived media.@count"),
      (
        "int64? derived(media.@count where kind IN {1, (2 + 1)}) indexed",
        "integer64 indexed derived media.@count where kind IN {1, (2 + 1)}"
      ),
      (
        "string derived(canonical:(name)) modifier \"two words\"",
        "string required derived canonical:(name) modifier two words"
      ),
      ("string? preserved modifier 2", "string preserved modifier 2"),
    ])
  func attributes(text: String, meaning: String) throws {
    let property = try ModelNotation.property(named: "p", text)
    #expect(property.name == "p")
    #expect(Self.meaning(of: try #require(property as? AttributeDescription)) == meaning)
  }

  @Test(
    "Relationships",
    arguments: [
      ("Album", "Album required 0...1 nullify"),
      ("Album? <-> songs", "Album 0...1 nullify <-> songs"),
      ("[Tag] <-> events", "Tag 0...0 nullify <-> events"),
      ("[ Tag ]! <-> events", "Tag required 0...0 nullify <-> events"),
      ("[Tag](1...5) ordered cascade", "Tag 1...5 cascade ordered"),
      ("[Tag](2...)!", "Tag required 2...0 nullify"),
      ("[Tag]<->events no action was tags", "Tag 0...0 noAction <-> events was tags"),
      ("User? deny transient", "User 0...1 deny transient"),
    ])
  func relationships(text: String, meaning: String) throws {
    let property = try ModelNotation.property(named: "p", text)
    #expect(Self.meaning(of: try #require(property as? RelationshipDescription)) == meaning)
  }

  @Test(
    "A mistake is named with its column",
    arguments: [
      ("", 1, "expected a type, an entity, or '[' at the end"),
      ("strng?", 1, "unknown type 'strng'; did you mean 'string'?"),
      ("  integer", 3, "unknown type 'integer'; did you mean 'int64'?"),
      (
        "blob", 1,
        "unknown type 'blob'; types are bool, composite, data, date, decimal, double, float, int16, int32, "
          + "int64, string, transformable, undefined, uri, uuid"
      ),
      (
        "int16 = 70000", 9,
        "'70000' isn't a value here: it must be a whole number from -32768 to 32767"
      ),
      (
        "date = 2013-02-31", 8,
        "'2013-02-31' isn't a value here: it must be a date, as in 2012-12-25T18:00:00Z or 2012-12-25"
      ),
      ("bool = maybe", 8, "'maybe' isn't a value here: it must be true or false"),
      (
        "data = 0xF", 8,
        "'0xF' isn't a value here: it must be base64, 0x and hexadecimal digits, or a JSON list or map in quotes"
      ),
      ("int64 =", 8, "expected a value at the end"),
      ("string = \"open", 10, "the text's closing mark is missing"),
      ("transformable = x", 17, "'=' doesn't apply to Transformable"),
      ("string(5...1)", 8, "the range '5...1' is empty"),
      ("string(/[a/)", 8, "'/[a/' isn't a regular expression, so no value would match it"),
      (
        "date = 2012-12-25T18:00:00+25:00", 8,
        "'2012-12-25T18:00:00+25:00' isn't a value here: it must be a date, as in 2012-12-25T18:00:00Z or "
          + "2012-12-25"
      ),
      ("string(long)", 8, "expected a condition, as in '1...80' or '/[a-z]+/', found 'long'"),
      ("string(1...80", 14, "expected ')' at the end"),
      ("int64(/a/)", 7, "'/a/' doesn't apply to Integer 64"),
      ("string(external)", 8, "'external' doesn't apply to String"),
      ("bool(0...1)", 6, "'0...1' doesn't apply to Boolean"),
      ("string? <-> x", 9, "'<->' doesn't apply to attributes"),
      ("string? orderd", 9, "'orderd' doesn't apply to attributes"),
      ("string? = a ;", 13, "expected a word such as 'transient', found ';'"),
      ("Tag ordered", 5, "'ordered' doesn't apply to this relationship"),
      ("Tag indexed", 5, "'indexed' doesn't apply to this relationship"),
      ("Tag no", 7, "expected 'action' at the end"),
      ("[Tag <-> x", 6, "expected ']', found '<->'"),
      ("[]", 2, "expected the destination's name, found ']'"),
      ("[Tag] <->", 10, "expected the inverse's name at the end"),
      ("[Tag](1)", 7, "expected counts, as in '1...5', found '1'"),
      (
        "[Tag](0...1)", 7, "a to-many relationship of at most one object is a to-one; write 'Name?'"
      ),
      ("[Tag](5...2)", 7, "the range '5...2' is empty"),
      ("int64 derived", 14, "expected '(' and an expression at the end"),
    ])
  func mistakes(text: String, column: Int, message: String) throws {
    let error = #expect(throws: ModelNotationError.self) {
      try ModelNotation.property(named: "p", text)
    }
    #expect(error?.column == column)
    #expect(error?.message == message)
    #expect(error?.text == text)
  }

  @Test func entitiesMayHaveAParentAndBeAbstract() throws {
    let media = try ModelNotation.entity("Media abstract", properties: ["title": "string"])
    let song = try ModelNotation.entity("Song: Media", properties: ["seconds": "double = 0"])
    let model = try ManagedObjectModel(entities: [media, song])
    #expect(media.isAbstract)
    #expect(song.superentity === media)
    #expect(model.entity(named: "Song")?.properties.map(\.name) == ["title", "seconds"])

    let error = #expect(throws: ModelNotationError.self) { try ModelNotation.entity("Song Media") }
    #expect(error?.description == "column 6 of 'Song Media': expected nothing more, found 'Media'")
  }

  @Test func noTextCrashesTheParser() {
    var random = SystemRandomNumberGenerator()
    let pieces = [
      "string", "[", "]", "Tag", "?", "!", "(", ")", "...", "1", ",", "/", "\"", "'", "\\", "=",
      "<->", " ", "was", "derived", "modifier", "no", "é", "-", "0x",
    ]
    for _ in 0..<5_000 {
      let text = (0..<Int.random(in: 0...12, using: &random))
        .map { _ in pieces.randomElement(using: &random) ?? "" }.joined()
      do {
        _ = try ModelNotation.property(named: "p", text)
      } catch let error as ModelNotationError {
        #expect((1...text.count + 1).contains(error.column), "\(text)")
      } catch {
        Issue.record("\(text): \(error)")
      }
    }
  }
}

// MARK: - Meanings

extension ModelNotationTests {
  private static func meaning(of attribute: AttributeDescription) -> String {
    var words = ["\(attribute.attributeType)"]
    if !attribute.isOptional { words.append("required") }
    words += values(of: attribute)
    if let pattern = attribute.regularExpression { words.append("matching \(pattern)") }
    if attribute.allowsExternalBinaryDataStorage { words.append("external") }
    if let name = attribute.valueTransformerName { words.append("transformer \(name)") }
    if attribute.isIndexed { words.append("indexed") }
    if attribute.preservesValueInHistoryOnDeletion { words.append("preserved") }
    if let expression = attribute.derivationExpression { words.append("derived \(expression)") }
    if let filter = attribute.filterPredicate { words.append("where \(filter)") }
    return (words + common(attribute)).joined(separator: " ")
  }

  private static func values(of attribute: AttributeDescription) -> [String] {
    [
      ("default", attribute.typedDefaultValue), ("from", attribute.minimum),
      ("to", attribute.maximum),
    ]
    .filter { !$0.1.isNull }
    .map { name, value in
      if case .data(let data) = value {
        "\(name) data(\(data.count) bytes)"
      } else {
        "\(name) \(value)"
      }
    }
  }

  private static func meaning(of relationship: RelationshipDescription) -> String {
    var words = [relationship.destinationEntityName]
    if !relationship.isOptional { words.append("required") }
    words.append("\(relationship.minCount)...\(relationship.maxCount)")
    words.append("\(relationship.deleteRule)")
    if relationship.isOrdered { words.append("ordered") }
    if let inverse = relationship.inverseName { words.append("<-> \(inverse)") }
    return (words + common(relationship)).joined(separator: " ")
  }

  private static func common(_ property: PropertyDescription) -> [String] {
    var words: [String] = []
    if property.isTransient { words.append("transient") }
    if let name = property.explicitRenamingIdentifier { words.append("was \(name)") }
    if let text = property.versionHashModifier { words.append("modifier \(text)") }
    return words
  }
}
