import Migration
import TestSupport
import Testing

/// Mapping files as Xcode wrote them.
@Suite(.enabled(if: Corpus.isPresent, Corpus.absenceMessage))
struct CorpusMappingFileTests {
  /// The mapping of a file, bound to the versions that the file itself names.
  private func mapping(_ path: String, models: String) throws -> MappingModel {
    let file = try XcodeMappingFile.load(contentsOf: try Corpus.url(path))
    let versions = try XcodeModel.load(contentsOf: try Corpus.url(models))
    let sourceName = try #require(file.sourceModelHint).versionName
    let destinationName = try #require(file.destinationModelHint).versionName
    return try file.mappingModel(
      source: try #require(versions.version(named: sourceName)),
      destination: try #require(versions.version(named: destinationName)))
  }

  private func books(_ name: String) throws -> MappingModel {
    try mapping(
      "bookmigration/\(name).xcmappingmodel", models: "bookmigration/Model.xcdatamodeld")
  }

  @Test func bookMigrationOneToTwo() throws {
    let mapping = try books("Model1_to_Model2")
    #expect(
      text(of: mapping) == [
        "UserToUser (transform)", "  userId: $source.userId",
        "  books: \(instances("BookToBook", "books"))",
        "Author (add)", "  name: nil", "  books: nil",
        "BookToBook (custom) by MHWBookToBookPolicy", "  fileURL: $source.fileURL",
        "  title: $source.title", "  authors: nil", "  users: nil",
      ])
    #expect(mapping.entityMappings[2].userInfo as? [String: String] == ["modelVersion": "2"])
  }

  @Test func bookMigrationTwoToThreeIsInTwoFiles() throws {
    let mapping = try books("Model2_to_Model3")
    #expect(
      text(of: mapping) == [
        "File (add)", "  fileURL: nil", "  book: nil", "  user: nil",
        "BookToBook (custom) by MHWBookToBookPolicy", "  title: $source.title",
        "  authors: \(instances("AuthorToAuthor", "authors"))", "  files: nil",
        "AuthorToAuthor (copy)", "  name: $source.name",
        "  books: \(instances("BookToBook", "books"))",
      ])
    #expect(mapping.entityMappings[1].userInfo as? [String: String] == ["modelVersion": "3"])
    let users = try books("Model2_to_Model3_User")
    #expect(
      text(of: users) == ["UserToUser (transform)", "  userId: $source.userId", "  files: nil"])
  }

  @Test func posts() throws {
    let mapping = try mapping(
      "posts/Migration2to3ModelMapping.xcmappingmodel",
      models: "posts/CoreDataMigration_Example.xcdatamodeld")
    #expect(
      text(of: mapping) == [
        "Section (add)", "  body: nil", "  index: nil", "  title: nil", "  post: nil",
        "PostToPost (custom) by CoreDataMigration_Example.Post2ToPost3MigrationPolicy",
        "  date: $source.date", "  hexColor: $source.hexColor", "  postID: $source.postID",
        "  sections: nil",
      ])
  }

  @Test func wooCommerce() throws {
    let mapping = try mapping(
      "woocommerce/WooCommerceModelV9toV10.xcmappingmodel",
      models: "woocommerce/WooCommerce.xcdatamodeld")
    #expect(mapping.entityMappings.count == 17)
    #expect(
      mapping.entityMappings.filter { $0.mappingType == .transformEntityMappingType }
        .map(\.name) == ["OrderToOrder", "OrderItemToOrderItem"])
    let order = try #require(mapping.entityMappingsByName["OrderToOrder"])
    // Written by hand, in an archive.
    #expect(order.attributeMapping(named: "statusKey")?.description == "statusKey: $source.status")
    #expect(order.attributeMappings?.count == 41)
    #expect(
      order.relationshipMappings?.map(\.description) == [
        "coupons: \(instances("OrderCouponToOrderCoupon", "coupons"))",
        "items: \(instances("OrderItemToOrderItem", "items"))",
        "notes: \(instances("OrderNoteToOrderNote", "notes"))",
        "searchResults: \(instances("OrderSearchResultsToOrderSearchResults", "searchResults"))",
      ])
  }

  @Test func modelIsFoundByThePathsLastComponents() throws {
    let folder = try Corpus.url("bookmigration/Model1_to_Model2.xcmappingmodel")
    let file = try XcodeMappingFile.load(contentsOf: folder)
    let hint = try #require(file.sourceModelHint)
    #expect(hint.path == "BookMigration/Model.xcdatamodeld/Model1.xcdatamodel")
    #expect(hint.modelName == "Model")
    #expect(hint.versionName == "Model1")
    #expect(
      hint.find(from: folder.deletingLastPathComponent())?.path
        == (try Corpus.url("bookmigration/Model.xcdatamodeld/Model1.xcdatamodel")).path)
  }
}

/// Mapping files made for these tests, in Xcode's form.
@Suite struct XcodeMappingFileTests {
  private let folder: TemporaryFolder
  private let old, new: ManagedObjectModel

  init() throws {
    folder = try TemporaryFolder()
    old = try model(
      "v1", entity("Home", attribute("name"), toMany("countries", "Country", inverse: "home")),
      entity(
        "Country", attribute("name"), toOne("home", "Home", inverse: "countries"),
        toMany("moods", "Mood", inverse: "country")),
      entity("Mood", attribute("name"), toOne("country", "Country", inverse: "moods")))
    new = try model(
      "v2", entity("Home", attribute("name"), attribute("kind"), toMany("moods", "Mood")),
      entity("Mood", attribute("name")))
  }

  private func load(_ objects: String) throws -> XcodeMappingFile {
    let text = """
      <?xml version="1.0" standalone="no"?>
      <!DOCTYPE database SYSTEM "file:///System/Library/DTDs/CoreData.dtd">
      <database>
      \(objects)
      </database>
      """
    try folder.write(text, to: "Test.xcmappingmodel/xcmapping.xml")
    return try XcodeMappingFile.load(contentsOf: folder.url.appending(path: "Test.xcmappingmodel"))
  }

  private let modelObject = """
    <object type="XDDEVMAPPINGMODEL" id="z1">
      <attribute name="sourcemodelpath" type="string">A/B &amp; C/Model 9.xcdatamodel</attribute>
      <relationship name="entitymappings" type="0/0" idrefs="z2 z3"></relationship>
    </object>
    """

  private let home = """
    <object type="XDDEVENTITYMAPPING" id="z2">
      <attribute name="sourcename" type="string">Home</attribute>
      <attribute name="destinationname" type="string">Home</attribute>
      <attribute name="mappingnumber" type="int16">2</attribute>
      <attribute name="sourcefilterpredicatestring" type="string">name != nil</attribute>
      <relationship name="attributemappings" type="0/0" idrefs="z5 z6"></relationship>
      <relationship name="relationshipmappings" type="0/0" idrefs="z4"></relationship>
    </object>
    <object type="XDDEVRELATIONSHIPMAPPING" id="z4">
      <attribute name="name" type="string">moods</attribute>
      <attribute name="sourcekeypath" type="string">$source.countries.@distinctUnionOfSets.moods</attribute>
      <attribute name="sourcemappingname" type="string">MoodToMood</attribute>
    </object>
    <object type="XDDEVATTRIBUTEMAPPING" id="z5"><attribute name="name" type="string">name</attribute></object>
    <object type="XDDEVATTRIBUTEMAPPING" id="z6"></object>
    """

  private let mood = """
    <object type="XDDEVENTITYMAPPING" id="z3">
      <attribute name="sourcename" type="string">Mood</attribute>
      <attribute name="destinationname" type="string">Mood</attribute>
      <attribute name="mappingnumber" type="int16">1</attribute>
    </object>
    <object type="XDDEVENTITYMAPPING" id="z9">
      <attribute name="sourcename" type="string">Leftover</attribute>
      <attribute name="mappingnumber" type="int16">0</attribute>
    </object>
    """

  @Test func explicitFormsOrderAndLeftovers() throws {
    let file = try load(modelObject + home + mood)
    #expect(file.sourceModelPath == "A/B & C/Model 9.xcdatamodel")
    #expect(file.sourceModelHint?.versionName == "Model 9")
    #expect(file.sourceModelHint?.modelName == nil)
    let mapping = try file.mappingModel(source: old, destination: new)
    #expect(
      text(of: mapping) == [
        "MoodToMood (transform)",
        "HomeToHome (transform)", "  name: $source.name",
        "  moods: \(instances("MoodToMood", "countries.@distinctUnionOfSets.moods"))",
      ])
    #expect(
      mapping.entityMappings[1].sourceExpression?.description.contains(#""name != nil""#) == true)
  }

  /// An expression beside the flag is left over from what a person wrote before.
  @Test func whereTheFetchIsGeneratedAnExpressionBesideItPlaysNoPart() throws {
    let number = #"<attribute name="mappingnumber" type="int16">1</attribute>"#
    let stray = #"<attribute name="sourceexpressiondata" type="binary">%%%</attribute>"#
    func flag(_ value: String) -> String {
      "<attribute name=\"autogenerateexpression\" type=\"bool\">\(value)</attribute>"
    }
    let generated = try load(
      modelObject + home + mood.replacing(number, with: number + flag("1") + stray)
    ).mappingModel(source: old, destination: new)
    #expect(
      generated.entityMappings[0].sourceExpression?.description.contains("TRUEPREDICATE") == true)
    for written in [number + flag("0") + stray, number + stray] {
      #expect(throws: MappingFileError.self) {
        try load(modelObject + home + mood.replacing(number, with: written))
      }
    }
  }

  @Test func explicitKeyPathWorksInAMigration() throws {
    let stage = try Stage(.memory, old) { context in
      let home = context.insert("Home", ["name": "here"])
      for name in ["a", "b"] {
        let country = context.insert("Country", ["name": name, "home": home])
        context.insert("Mood", ["name": "calm \(name)", "country": country])
      }
    }
    let mapping = try load(
      modelObject + home
        + mood.replacing(
          #"<attribute name="mappingnumber" type="int16">1</attribute>"#,
          with: """
            <attribute name="mappingnumber" type="int16">1</attribute>
            <relationship name="attributemappings" type="0/0" idrefs="z5"></relationship>
            """)
    ).mappingModel(source: old, destination: new)
    let (store, _) = try stage.migrate(to: new, mapping)
    #expect(
      try dump(store) == [
        "Home(kind: nil, moods: [calm a, calm b], name: here)", "Mood(name: calm a)",
        "Mood(name: calm b)",
      ])
  }

  // MARK: Broken files

  private func failure(_ objects: String) -> String? {
    do {
      _ = try load(objects).mappingModel(source: old, destination: new)
      return nil
    } catch { return "\(error)".replacing(folder.url.path, with: "") }
  }

  @Test func brokenFilesAreNamedWithTheirPlace() throws {
    let path = "/Test.xcmappingmodel/xcmapping.xml"
    #expect(
      failure(mood)
        == "\(path): error: there is no mapping model in this file; is it Xcode's xcmapping.xml?")
    #expect(
      failure(modelObject + mood)
        == "\(path):4: error: 'z2' isn't a XDDEVENTITYMAPPING in this file; the file was edited or truncated"
    )
    #expect(
      failure("<object>")
        == "\(path):5: error: this isn't well-formed XML: an end tag doesn't match its start tag")
    #expect(
      failure(
        modelObject + home
          + mood.replacing(#"<attribute name="mappingnumber" type="int16">1</attribute>"#, with: "")
      )
        == "\(path):21: error: entity mapping 'z3' has no mappingnumber")
    let name = #"<attribute name="name" type="string">moods"#
    let archive = #"<attribute name="valueexpressiondata" type="binary">YWJj</attribute>"#
    let model = try load(modelObject + home.replacing(name, with: archive + name) + mood)
      .mappingModel(source: old, destination: new)
    let moods = model.entityMappings.flatMap { $0.relationshipMappings ?? [] }.first {
      $0.name == "moods"
    }
    #expect(
      moods?.unreadable?.description.replacing(folder.url.path, with: "")
        == "\(path):15: error: valueexpressiondata: not a binary property list: "
        + "it doesn't begin with 'bplist00'")
  }

  @Test func namesThatTheModelsDoNotHaveAreErrors() throws {
    let wrongEntity = modelObject + home + mood.replacing(">Mood<", with: ">Moon<")
    #expect(
      failure(wrongEntity)
        == "/Test.xcmappingmodel: error: entity mapping 'MoonToMoon': the source model has no entity 'Moon'"
    )
    let wrongAttribute = modelObject + home.replacing(">name<", with: ">title<") + mood
    #expect(
      failure(wrongAttribute)
        == "/Test.xcmappingmodel: error: entity mapping 'HomeToHome': destination entity 'Home' has no attribute 'title'"
    )
  }

  @Test func missingFileIsNamed() throws {
    let error = try #require(throws: MappingFileError.self) {
      try XcodeMappingFile.load(contentsOf: self.folder.url.appending(path: "None.xcmappingmodel"))
    }
    #expect(error.description.contains("/None.xcmappingmodel: error: "))
  }
}

/// Expressions that people wrote in Xcode's mapping editor, as compiled mapping models have them.
@Suite struct ArchivedExpressionTests {
  /// A compiled mapping model in which an archived expression is the value of a property.
  private func load(
    _ add: (KeyedArchiveWriter) -> KeyedArchiveWriter.Reference?
  ) throws -> Expression? {
    let writer = KeyedArchiveWriter()
    let value = try #require(add(writer))
    let property = writer.add(
      "NSPropertyMapping",
      fields: [
        "NSDestinationPropertyName": .reference(writer.add("x")),
        "NSValueExpression": .reference(value),
      ])
    let mapping = writer.add(
      "NSEntityMapping",
      fields: [
        "NSMappingName": .reference(writer.add("AToA")), "NSMappingType": .integer(5),
        "NSSourceEntityName": .reference(writer.add("A")),
        "NSDestinationEntityName": .reference(writer.add("A")),
        "NSAttributeMappings": .reference(writer.add(array: [property])),
        "NSRelationshipMappings": .reference(writer.add(array: [])),
      ])
    let root = writer.add(
      "NSMappingModel", fields: ["NSEntityMappings": .reference(writer.add(array: [mapping]))])
    let folder = try TemporaryFolder()
    let url = try folder.write(writer.data(root: root), to: "Map.cdm")
    let model = try CompiledMappingFile.load(contentsOf: url).mappingModel
    return model.entityMappings[0].attributeMappings?.first?.valueExpression
  }

  @Test(
    "Each form comes back",
    arguments: [
      "$source.title", "$source.owner.name", "1", "\"a\"", "nil", "SELF", "$entityPolicy",
      "FUNCTION($entityPolicy, \"bookState:\", $source.isLocal)", "uppercase($source.title)",
      "$source.seconds * 60 + 1", "{1, $source.x}", "now()", "CAST($source.added, \"NSNumber\")",
      "TERNARY($source.a == nil, \"none\", $source.a)",
      "SUBQUERY($source.tags, $t, $t.name BEGINSWITH \"a\").@count",
      "$source.tags UNION $source.others", "$source.countries.@distinctUnionOfSets.moods",
    ])
  func formsSurvive(format: String) throws {
    let read = try load { PredicateArchiver().add(expression: format, to: $0) }
    #expect(read == (try Expression.parse(format)), "\(read?.expressionFormat ?? "nil")")
  }

  @Test func anExpressionThatContainsItselfIsRefused() {
    let error = #expect(throws: MappingFileError.self) {
      try load { writer in
        let function = writer.reserve()
        writer.define(
          function, as: ["NSFunctionExpression", "NSExpression"],
          fields: [
            ("NSOperand", .reference(function)), ("NSSelectorName", .reference(writer.add("a:"))),
            ("NSArguments", .reference(writer.add(array: [function, function]))),
          ])
        return function
      }
    }
    #expect(
      error?.reason
        == "the value of 'x' in 'AToA': this expression can't be decoded: it contains itself, or is "
        + "nested too deeply")
  }

  @Test(arguments: ["launch:", "sum:", "uppercase:with:"])
  func aFunctionThatThereIsNotIsRefused(name: String) {
    let error = #expect(throws: MappingFileError.self) {
      try load { writer in
        writer.add(
          "NSFunctionExpression", "NSExpression",
          fields: [
            "NSSelectorName": .reference(writer.add(name)),
            "NSArguments": .reference(writer.add(array: [])),
          ])
      }
    }
    #expect(error?.reason.hasPrefix("the value of 'x' in 'AToA': ") == true)
  }
}
