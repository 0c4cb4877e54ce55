import TestSupport
import Testing

@testable import Commands
@testable import PolicyCompiler
@testable import Scenarios
@testable import Terminal

/// What objects are recognised by, with and without rules.
@Suite struct IdentityTests {
  private static let model = """
    { Post: { postID: string, text: string?, sections: "[Section] <-> post" }, \
    Section: { index: int32, body: string?, post: "Post? <-> sections" } }
    """
  private static let seed = """
    { Post: [{ id: p, postID: a, text: A }, { id: q, postID: b, text: B }], \
    Section: [{ index: 0, body: x, post: p }, { index: 1, body: y, post: p }, \
    { index: 0, body: z, post: q }] }
    """

  private func pair(
    _ backend: Backend, _ change: (String) -> String
  ) throws -> (PersistentStore, PersistentStore) {
    let stores = try SeededStores(backend)
    return (
      try stores.store(Self.model, Self.seed), try stores.store(Self.model, change(Self.seed))
    )
  }

  @Test(arguments: Backend.allCases)
  func anAttributeThatLooksLikeAnIdentifierServes(on backend: Backend) throws {
    let (a, b) = try pair(backend) { $0.replacing("text: A", with: "text: X") }
    let found = try differences(a, b)
    #expect(found.entity("Post")?.identity == "postID")
    #expect(found.listing.first == "~ Post { postID: \"a\" } text")
  }

  @Test(arguments: Backend.allCases)
  func anIdentifierThatIsNotUniqueServesNot(on backend: Backend) throws {
    let (a, b) = try pair(backend) { $0.replacing("postID: b", with: "postID: a") }
    #expect(try differences(a, b).entity("Post")?.identity != "postID")
  }

  @Test(arguments: Backend.allCases)
  func keyPathsLeadToOtherObjects(on backend: Backend) throws {
    let (a, b) = try pair(backend) { $0.replacing("body: z", with: "body: zz") }
    let found = try differences(a, b, identity: ["Section=post.postID,index"])
    #expect(found.listing == ["~ Section { post.postID: \"b\", index: 0 } body"])
  }

  @Test(arguments: Backend.allCases)
  func aRelationshipStandsForTheIdentityOfItsDestination(on backend: Backend) throws {
    let (a, b) = try pair(backend) { $0.replacing("body: z", with: "body: zz") }
    let found = try differences(a, b, identity: ["Section=post, index"])
    #expect(
      found.listing == ["~ Section { post: Post { postID: \"b\" }, index: 0 } body"])
  }

  @Test(arguments: Backend.allCases)
  func rowNumbersServeWhereTheyFit(on backend: Backend) throws {
    let (a, b) = try pair(backend) { $0.replacing("body: z", with: "body: zz") }
    let found = try differences(a, b)
    #expect(found.entity("Section")?.identity == "row number")
    #expect(found.listing == ["~ Section p3 { body: \"z\", index: 0 } body"])
  }

  @Test(arguments: Backend.allCases)
  func contentServesWhereRowNumbersDoNot(on backend: Backend) throws {
    let (a, b) = try pair(backend) {
      $0.replacing("{ index: 0, body: x, post: p }, ", with: "")
        .replacing("post: q }]", with: "post: q }, { index: 0, body: x, post: p }]")
    }
    let found = try differences(a, b)
    #expect(found.entity("Section")?.identity == "content")
    #expect(found.isEmpty)
  }

  @Test(arguments: Backend.allCases)
  func rulesAreReadFromAFile(on backend: Backend) throws {
    let folder = try TemporaryFolder()
    let file = try folder.write("Section: [post, index]\nPost: .content\n", to: "rules.yaml")
    let (a, b) = try pair(backend) { $0.replacing("text: A", with: "text: X") }
    let found = try differences(a, b, identity: [file.path])
    #expect(found.entity("Post")?.identity == "content")
    #expect(found.entity("Post")?.only == Both(1, 1))
  }

  @Test(arguments: Backend.allCases)
  func objectsThatShareTheirIdentityAreToldApartByTheRest(on backend: Backend) throws {
    let (a, b) = try pair(backend) {
      $0.replacing("{ index: 0, body: x, post: p }, ", with: "")
        .replacing("post: q }]", with: "post: q }, { index: 0, body: x, post: p }]")
    }
    let found = try differences(a, b, identity: ["Section=index"])
    #expect(found.isEmpty)
    #expect(found.entity("Section")?.guessed == 0)
  }

  @Test(arguments: Backend.allCases)
  func lookAlikesAreToldApartByWhatTheyAreLinkedWith(on backend: Backend) throws {
    let model = """
      { Folder: { name: string, files: "[File] <-> folder" }, \
      File: { kind: string, folder: "Folder? <-> files" } }
      """
    let stores = try SeededStores(backend)
    let a = try stores.store(
      model,
      """
      { Folder: [{ id: f, name: F }, { id: g, name: G }], \
      File: [{ kind: t, folder: f }, { kind: t, folder: g }, { kind: t, folder: g }] }
      """)
    let b = try stores.store(
      model,
      """
      { Folder: [{ id: f, name: F }, { id: g, name: G }], \
      File: [{ kind: t, folder: g }, { kind: t, folder: f }, { kind: t, folder: f }] }
      """)
    let found = try differences(a, b, identity: ["File=.content"])
    #expect(found.listing == ["~ File { kind: \"t\" } folder"])
    #expect(found.entity("File")?.guessed == 0)
  }

  @Test func chanceIsTold() throws {
    let stores = try SeededStores(.memory)
    let model = "{ Note: { kind: string, size: int32 } }"
    let a = try stores.store(model, "{ Note: [{ kind: t, size: 1 }, { kind: t, size: 2 }] }")
    let b = try stores.store(model, "{ Note: [{ kind: t, size: 3 }, { kind: t, size: 4 }] }")
    let found = try differences(a, b, identity: ["Note=kind"])
    #expect(found.listing.count == 2)
    #expect(
      found.plainText.contains(
        "2 objects of Note share their kind with others, "
          + "and were compared in the order of their rows\n"))
  }

  @Test func ruleForASuperentityHoldsForSubentities() throws {
    let model = "{ Animal: { tag: int32 }, Cat: { .parent: Animal, name: string? } }"
    let stores = try SeededStores(.memory)
    let a = try stores.store(model, "{ Cat: [{ tag: 1, name: A }, { tag: 2, name: B }] }")
    let b = try stores.store(model, "{ Cat: [{ tag: 2, name: B }, { tag: 1, name: C }] }")
    let found = try differences(a, b, identity: ["Animal=tag"])
    #expect(found.listing == ["~ Cat { tag: 1 } name"])
  }

  // MARK: Mistakes

  private func complaint(_ identity: [String], ignoring: [String] = []) -> String {
    do {
      let (a, b) = try pair(.memory) { $0 }
      _ = try differences(a, b, identity: identity, ignoring: ignoring)
      return "none"
    } catch {
      return "\(error)"
    }
  }

  @Test func mistakesInRulesAreExplained() {
    #expect(
      complaint(["Pots=postID"])
        == "--identity Pots: error: no entity 'Pots' in both stores; did you mean 'Post'?")
    #expect(
      complaint(["Post=postId2"])
        == "--identity Post: error: entity 'Post' has no stored property 'postId2' in both stores; "
        + "did you mean 'postID'?")
    #expect(
      complaint(["Post=sections"])
        == "--identity Post: error: 'Post.sections' is to-many; only to-one relationships identify")
    #expect(
      complaint(["Section="])
        == "--identity Section=: error: a rule is 'Entity=property,relationship.property', "
        + "'Entity=.row' or 'Entity=.content'")
    #expect(complaint(["missing.yaml"]) == "missing.yaml: error: can't read the file: no such file")
    #expect(
      complaint([], ignoring: ["Post.txt"])
        == "--ignore Post.txt: error: entity 'Post' has no property 'txt'; did you mean 'text'?")
  }

  @Test func mistakesInAFileHaveAPlace() throws {
    let folder = try TemporaryFolder()
    let file = try folder.write("Post: [postID]\nSection: [nothing]\n", to: "rules.yaml")
    #expect(
      complaint([file.path]).contains("rules.yaml:2:1: error: entity 'Section' has no stored"))
  }
}
