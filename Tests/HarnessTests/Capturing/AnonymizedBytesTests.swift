import Foundation
import Testing

@testable import Commands
@testable import ObjectModel
@testable import Persistence
@testable import Scenarios

/// Bytes that say something keep their form when what they say is replaced.
@Suite struct AnonymizedBytesTests {
  /// Entities don't keep it.
  private let model: ManagedObjectModel
  private let entity: EntityDescription
  private let vocabulary: AppVocabulary

  init() throws {
    entity = try ModelNotation.entity("Song", properties: ["bytes": "data?"])
    model = try ManagedObjectModel(entities: [entity])
    vocabulary = try AppVocabulary(models: [model], mappings: [], policies: [])
  }

  private func anonymized(_ data: Data) throws -> (data: Data, remarks: [String]) {
    var anonymizer = Anonymizer(keeping: [], vocabulary: vocabulary)
    let object = ContentSnapshot.Object(
      entity: entity, values: [.data(data)], links: [], origins: [], label: "s")
    let new = try anonymizer.replacement(of: ContentSnapshot(objects: [object]))
    guard case .data(let replaced)? = new.objects.first?.values.first else {
      throw CocoaError(.coderInvalidValue)
    }
    return (replaced, anonymizer.remarks)
  }

  /// What a song's bytes say of a customer.
  private static var said: [String: Any] {
    [
      "singer": "Jonathan Oslo", "phone": 4_711_815, "isLive": true, "gain": 0.0,
      "places": ["Oslo", "Bergen"], "cover": Data([9, 8, 7, 6, 5, 4, 3, 2, 1]),
      "recorded": Date(timeIntervalSinceReferenceDate: 500_000_000), "Süß & Söhne": "Attic",
    ]
  }

  private func expectOther(_ new: [String: Any]) throws {
    #expect(new["singer"] as? String != "Jonathan Oslo")
    #expect((new["singer"] as? String)?.count == "Jonathan Oslo".count)
    // The same word is the same other word.
    let places = try #require(new["places"] as? [String])
    #expect((new["singer"] as? String)?.hasSuffix(places[0]) == true && places.count == 2)
    let cover = try #require(new["cover"] as? Data)
    #expect(cover.count == 9 && cover != Self.said["cover"] as? Data)
    #expect(new["recorded"] as? Date != Self.said["recorded"] as? Date)
    #expect((new["isLive"] as? NSNumber)?.boolValue == true)
    #expect((new["gain"] as? NSNumber)?.doubleValue == 0)
    #expect(new["Süß & Söhne"] == nil)
  }

  @Test(arguments: [PropertyListSerialization.PropertyListFormat.xml, .binary])
  func propertyListsStayPropertyListsOfTheirForm(
    _ format: PropertyListSerialization.PropertyListFormat
  ) throws {
    let data = try PropertyListSerialization.data(
      fromPropertyList: Self.said, format: format, options: 0)
    let (new, remarks) = try anonymized(data)
    var found = format
    let list = try PropertyListSerialization.propertyList(from: new, options: [], format: &found)
    #expect(found == format)
    let map = try #require(list as? [String: Any])
    try expectOther(map)
    #expect((map["phone"] as? NSNumber)?.intValue != 4_711_815)
    #expect(map.count == Self.said.count)
    #expect(
      remarks == [
        "names within JSON and property lists stay: Song.bytes (cover, gain, isLive, phone, places, recorded, singer)"
      ])
  }

  @Test func archivesStayArchivesAndTheirNumbersAreNamed() throws {
    var said = Self.said
    said["key"] = UUID()
    said["link"] = URL(string: "https://jonathan.example/oslo")
    let (new, remarks) = try anonymized(TransformableValue(object: said).archived())
    let map = try #require(TransformableValue(archived: new).object as? [String: Any])
    // The keys of archives are replaced, too.
    #expect(map.count == said.count && Set(map.keys).isDisjoint(with: said.keys))
    let texts = map.values.compactMap { $0 as? String }
    #expect(texts.count == 2 && !texts.contains("Jonathan Oslo") && !texts.contains("Attic"))
    #expect(map.values.compactMap { $0 as? UUID } != [said["key"] as? UUID])
    let link = map.values.compactMap { $0 as? URL }.first
    #expect(link?.scheme == "https" && link?.host != "jonathan.example")
    #expect(
      remarks == [
        "numbers within archived values aren't replaced: Song.bytes; empty these attributes first if the numbers are private"
      ])
  }

  /// JSON in an archive in a property list, as apps keep what they got from a server.
  @Test func bytesWithinBytesAreReplaced() throws {
    let json = Data(#"{"singer":"Jonathan"}"#.utf8)
    let archive = try TransformableValue(object: ["body": json] as [String: Any]).archived()
    let list = try PropertyListSerialization.data(
      fromPropertyList: ["response": archive], format: .binary, options: 0)
    let (new, _) = try anonymized(list)
    let outer = try #require(new.propertyList() as? [String: Any])
    let response = try #require(outer["response"] as? Data)
    let inner = try #require(TransformableValue(archived: response).object as? [String: Any])
    let body = try #require(inner.values.first as? Data)
    let text = String(decoding: body, as: UTF8.self)
    #expect(text.hasPrefix(#"{"singer":""#) && text.count == json.count)
    #expect(!text.contains("Jonathan"))
  }

  /// A class of the app's own: nobody here knows what is in it.
  @Test func archivesOfTheAppsOwnClassesBecomeOtherBytes() throws {
    let list: [String: Any] = [
      "$version": 100_000, "$archiver": "NSKeyedArchiver", "$top": ["root": 1],
      "$objects": ["$null", "Jonathan"],
    ]
    let data = try PropertyListSerialization.data(
      fromPropertyList: list, format: .binary, options: 0)
    let (new, _) = try anonymized(data)
    #expect(new.count == data.count && new != data)
    #expect(new.firstRange(of: Data("Jonathan".utf8)) == nil)
  }
}
