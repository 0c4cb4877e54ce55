import Foundation
import Testing

@testable import Scenarios

/// Bytes in reports: shown as what they are, and never two different ones alike.
@Suite struct ShownBytesTests {
  @Test func jsonIsShownAsItIsWritten() {
    #expect(Value.data(Data(#"["a", "b"]"#.utf8)).shown == #"["a", "b"]"#)
    let long = Value.data(Data("[\(String(repeating: "1,", count: 600))1]".utf8)).shown
    #expect(
      long.hasPrefix("[1,1,") && long.contains("… (1203 bytes, SHA-256 ") && long.count < 300)
  }

  @Test func propertyListsAreShownWithWhatTellsThemFromOthers() throws {
    let list = try PropertyListSerialization.data(
      fromPropertyList: ["name": "Ann", "age": 7], format: .binary, options: 0)
    let shown = Value.data(list).shown
    #expect(
      shown.hasPrefix(#"property list {age: 7, name: "Ann"} (\#(list.count) bytes, SHA-256 "#))
    let archive = try NSKeyedArchiver.archivedData(
      withRootObject: ["a"] as NSArray, requiringSecureCoding: true)
    #expect(Value.data(archive).shown.hasPrefix(#"property list ["a"] ("#))
    #expect(Value.data(list.prefix(20)).shown == "0x\(list.prefix(20).hexadecimal)")
  }

  @Test func elementsOfCompositesAreShownByTheirTypes() throws {
    let attribute = try #require(
      try ModelNotation.property(
        named: "place", "composite(city: string?, tags: data?, isFar: bool?, gone: string?)?")
        as? AttributeDescription)
    let value = CompositeValue.value(
      of: attribute.elements,
      [.string("Bern"), .data(Data(#"["hut"]"#.utf8)), .integer(1), .null])
    #expect(value.shown == #"{city: "Bern", tags: ["hut"], isFar: true}"#)
  }
}
