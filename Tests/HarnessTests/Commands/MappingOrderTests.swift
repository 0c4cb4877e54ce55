import Foundation
import TestSupport
import Testing

@testable import Commands
@testable import PolicyCompiler
@testable import Scenarios
@testable import Terminal

/// The order in which the mapping models of a folder run.
@Suite struct MappingOrderTests {
  private static let old = """
    <entity name="Book"><attribute name="title" attributeType="String"/></entity>
    <entity name="User"><attribute name="name" attributeType="String"/></entity>
    """
  private static let new = """
    <entity name="Book"><attribute name="title" optional="YES" attributeType="String"/></entity>
    <entity name="User"><attribute name="name" attributeType="String"/>
      <relationship name="files" optional="YES" toMany="YES" deletionRule="Nullify"
        destinationEntity="File" inverseName="user"/></entity>
    <entity name="File"><relationship name="user" optional="YES" maxCount="1" deletionRule="Nullify"
      destinationEntity="User" inverseName="files"/></entity>
    """

  private func versions() throws -> ModelVersions { try ModelVersions(Self.old, Self.new) }

  private func folder(_ versions: ModelVersions, _ files: String...) throws -> MappingFolder {
    let model = try VersionedModel.load(contentsOf: versions.url)
    let places = files.isEmpty ? ["Mappings"] : files.map { "Mappings/\($0).xcmappingmodel" }
    return try MappingFolder(
      contentsOf: places.map { versions.folder.url.appending(path: $0) }, for: model)
  }

  @Test func whatMakesTheDestinationOfAToOneRelationshipRunsFirst() throws {
    let versions = try versions()
    try versions.writeMapping(["File", "Book"], file: "1 Books", adding: ["File"])
    try versions.writeMapping(["User"], file: "2 Users")
    let folder = try folder(versions)
    #expect(folder.candidates.map(\.name) == ["2 Users", "1 Books"])
    #expect(
      folder.orderNotes == [
        "2 Users runs before 1 Books, whose File.user leads to the User that it makes; list the "
          + "files one by one for another order"
      ])
    #expect(folder.candidatesAsFound.map(\.name) == ["1 Books", "2 Users"])
    #expect(
      try versions.findings(mappings: "Mappings").contains(
        "error: App -> App 2: 2 Users, 1 Books fit: by itself, Core Data uses only one of them; "
          + "2 Users runs before 1 Books, whose File.user leads to the User that it makes "
          + "[several-mappings]"))
  }

  @Test func filesGivenOneByOneRunInThatOrder() throws {
    let versions = try versions()
    try versions.writeMapping(["File", "Book"], file: "1 Books", adding: ["File"])
    try versions.writeMapping(["User"], file: "2 Users")
    let folder = try folder(versions, "1 Books", "2 Users")
    #expect(folder.candidates.map(\.name) == ["1 Books", "2 Users"])
    #expect(folder.orderNotes == [])
  }

  @Test func theRestIsInTheOrderOfNames() throws {
    let versions = try versions()
    try versions.writeMapping(["Book"], file: "Map 10")
    try versions.writeMapping(["User"], file: "Map 9")
    #expect(try folder(versions).candidates.map(\.name) == ["Map 9", "Map 10"])
    // One that makes both needs no other.
    try versions.writeMapping(["User", "File"], file: "Map 1", adding: ["File"])
    #expect(try folder(versions).candidates.map(\.name) == ["Map 1", "Map 9", "Map 10"])
    #expect(try folder(versions).orderNotes == [])
  }
}
