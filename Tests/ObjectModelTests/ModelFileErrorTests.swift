import ObjectModel
import TestSupport
import Testing

@Suite struct ModelFileErrorTests {
  @Test(
    "A mistake in a model file is named with its place",
    arguments: [
      ("<model>\n  <entity/>\n</model>", "2:3: error: <entity> lacks the attribute 'name'"),
      ("<plist/>", "1:1: error: not a model file: its root element is <plist>, not <model>"),
      (
        "<model><entity name='A'>\n<attribute name='x' attributeType='Text'/></entity></model>",
        "2:1: error: 'Text' can't be the attributeType of <attribute>"
      ),
      (
        "<model><entity name='A'>\n<relationship name='x'/></entity></model>",
        "2:1: error: <relationship> lacks the attribute 'destinationEntity'"
      ),
      (
        "<model><entity name='A'>\n"
          + "<relationship name='x' destinationEntity='A' maxCount='many'/></entity></model>",
        "2:1: error: 'many' can't be the maxCount of <relationship>"
      ),
      (
        "<model>\n<entity name='A' parentEntity='B'/></model>",
        "2:1: error: entity 'A' has the parent 'B', which the model doesn't have"
      ),
      (
        "<model><entity name='A'></model>",
        "1:33: error: not well-formed XML: an end tag doesn't match its start tag"
      ),
      ("", "1:1: error: not well-formed XML: it is empty"),
      (
        "<model>\n<entity name='A' name='B'/></model>",
        "2:26: error: not well-formed XML: an attribute occurs twice"
      ),
      (
        "<model/>\n<model/>",
        "2:1: error: not well-formed XML: it ends too early, or goes on after its end"
      ),
      (
        "<model>\n<entity\n\n  name='A'\n  isAbstract='NO'\n  >"
          + "<attribute/></entity></model>",
        "6:4: error: <attribute> lacks the attribute 'name'"
      ),
      (
        "<model>\n<entity\n\n  elementID='A'\n  isAbstract='NO'\n  /></model>",
        "2:1: error: <entity> lacks the attribute 'name'"
      ),
      ("<model>&external;</model>", "1:18: error: not well-formed XML: an unknown entity ('&…;')"),
    ])
  func mistakesAreNamedWithTheirPlace(text: String, message: String) throws {
    let folder = try TemporaryFolder()
    let error = #expect(throws: ModelFileError.self) { try XcodeModelTests.load(text, in: folder) }
    let description = try #require(error).description
    #expect(description.contains("/Sample.xcdatamodel/contents:"))
    #expect(description.contains(message))
  }

  @Test func filesOutsideAreNeverLoaded() throws {
    let folder = try TemporaryFolder()
    try folder.write("secret", to: "secret.txt")
    let text = """
      <!DOCTYPE model [<!ENTITY outside SYSTEM "../secret.txt">]>
      <model userDefinedModelVersionIdentifier="1"><entity name="A"/>&outside;</model>
      """
    if let model = try? XcodeModelTests.load(text, in: folder) {
      #expect(model.entities.map(\.name) == ["A"])
    }
  }

  @Test func aFolderInPlaceOfAFileIsToldWithoutFoundationsWords() throws {
    let folder = try TemporaryFolder()
    try folder.write("", to: "Sample.xcdatamodel/contents/notes.txt")
    let error = #expect(throws: ModelFileError.self) {
      try XcodeModel.load(contentsOf: folder.url.appending(path: "Sample.xcdatamodel"))
    }
    let description = try #require(error).description
    #expect(description.contains("can't be read: "))
    #expect(!description.contains("operation"), "\(description)")
  }

  @Test func foldersWithoutAModelAreRefused() throws {
    let folder = try TemporaryFolder()
    try folder.write("", to: "Old.xcdatamodel/elements")
    try folder.write("", to: "Empty.xcdatamodel/notes.txt")
    try folder.write("", to: "None.xcdatamodeld/notes.txt")
    try folder.write("", to: "notes.txt")
    func kind(_ path: String) -> ModelFileError.Kind? {
      #expect(throws: ModelFileError.self) {
        try XcodeModel.load(contentsOf: folder.url.appending(path: path))
      }?.kind
    }
    #expect(kind("Old.xcdatamodel") == .xcode3Format)
    #expect(kind("Empty.xcdatamodel") == .noContents)
    #expect(kind("None.xcdatamodeld") == .noVersions)
    #expect(kind("notes.txt") == .notAModel)
    #expect(kind("Missing.xcdatamodeld") == .noSuchFile)
  }
}
