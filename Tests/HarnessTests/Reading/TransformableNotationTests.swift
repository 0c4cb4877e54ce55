import Foundation
import TestSupport
import Testing

@testable import ObjectModel
@testable import Scenarios

/// Values of transformables as scenario files write them.
@Suite struct TransformableNotationTests {
  private static let attribute = AttributeDescription(name: "palette", type: .transformable)

  private static func read(_ text: String) throws -> Value {
    let node = try SourceNode.yaml(SourceFile(path: "a.yaml", text: "palette: \(text)"))
    return try ValueReader.value(node.map![0].value, for: attribute)
  }

  /// What an app's `NSSecureUnarchiveFromData` transformer writes for an object.
  private static func archive(_ object: Any) throws -> Value {
    let transformer = try #require(
      ValueTransformer.registered(.secureUnarchiveFromDataTransformerName))
    let data = try #require(transformer.reverseTransformedValue(object) as? Data)
    return .transformable(TransformableValue(archived: data))
  }

  @Test func valuesAreArchivedAsTheSecureTransformerDoesIt() throws {
    let date = try #require(ISO8601DateFormatter().date(from: "2012-12-25T00:00:00Z"))
    let pairs: [(String, Any)] = [
      ("text", "text" as NSString), ("\"5\"", "5" as NSString), ("\"\"", "" as NSString),
      ("5", NSNumber(value: 5)), ("-2.5", NSNumber(value: -2.5)), ("true", NSNumber(value: true)),
      ("2012-12-25", date as NSDate), ("[]", NSArray()),
      (
        "[a, 1, ~, 0x00ff]",
        ["a" as NSString, NSNumber(value: 1), NSNull(), Data([0, 255]) as NSData] as NSArray
      ),
      (
        "{ b: { c: [false] }, a: x }",
        ["a": "x" as NSString, "b": ["c": [NSNumber(value: false)] as NSArray] as NSDictionary]
          as NSDictionary
      ),
    ]
    for (text, object) in pairs {
      let value = try Self.read(text)
      #expect(value == (try Self.archive(object)), "\(text)")
      guard case .transformable(let transformable) = value,
        case .transformable(let wanted) = try Self.archive(object)
      else {
        Issue.record("\(text) is no value of a transformable")
        continue
      }
      // The keys of a map have no order, in archives neither.
      if !text.hasPrefix("{") {
        #expect(try transformable.archived() == wanted.archived(), "\(text)")
      }
      _ = try KeyedArchive(transformable.archived())
    }
    #expect(try Self.read("~") == .null)
  }

  @Test func bytesOfAnArchiveStayAsTheyAre() throws {
    guard case .transformable(let value) = try Self.archive(["a"] as NSArray) else { return }
    let bytes = try value.archived()
    for text in [
      "0x" + bytes.hexadecimal, bytes.base64EncodedString(), "\"0x" + bytes.hexadecimal + "\"",
    ] {
      guard case .transformable(let read) = try Self.read(text) else { return }
      #expect(try read.archived() == bytes)
      #expect(Value.transformable(read).shown == "[\"a\"]")
    }
    let error = #expect(throws: Diagnostic.self) { try Self.read("0x123") }
    #expect(error?.message == "'0x123' must be whole bytes, two digits each")
  }

  @Test(arguments: [
    (
      "[red, \"5\", { b: 0.5, a: true, at: 2012-12-25 }, 5, ~]",
      "[\"red\", \"5\", {a: true, at: 2012-12-25T00:00:00Z, b: 0.5}, 5, null]"
    ),
    ("text", "\"text\""), ("7", "7"), ("0xff00aa", "0xff00aa"),
  ])
  func reportsShowTheContent(_ text: String, _ shown: String) throws {
    #expect(try Self.read(text).shown == shown)
  }

  @Test func anArchiveOfAnUnknownClassIsShownWithItsName() throws {
    let writer = KeyedArchiveWriter()
    let root = writer.add("AppColor", "NSObject", fieldList: [("red", .integer(1))])
    let value = Value.transformable(TransformableValue(archived: writer.data(root: root)))
    #expect(value.shown.hasPrefix("AppColor 0x62706c6973743030"))
  }

  @Test(arguments: [
    ("[a, { b: [1, 2.5, true, null] }]", "[a, { b: [1, 2.5, true, null] }]"),
    ("word", "word"), ("\"two words\"", "two words"), ("12", "12"),
    ("{ at: 2012-12-25T18:00:00Z }", "{ at: 2012-12-25T18:00:00Z }"),
  ])
  func whatIsFoundIsWrittenAsItIsRead(_ text: String, _ written: String) throws {
    let value = try Self.read(text)
    #expect(value.notation(as: Self.attribute)?.yaml(inFlow: true) == written)
    // A text that looks like a number is written as its archive, which can't be misread.
    #expect(
      try Self.read("[\"5\"]").notation(as: Self.attribute)?.yaml(inFlow: true)
        .hasPrefix("0x62706c") == true)
  }

  @Test func textOfATransformableIsText() throws {
    let name = try Self.archive("Ann" as NSString)
    for format in ["name LIKE[c] 'a*'", "name BEGINSWITH 'A'", "name == 'Ann'"] {
      #expect(Predicate(format: format).evaluate(with: ["name": name]), "\(format)")
    }
  }

  @Test func valuesOfTransformablesHaveTheirOrder() throws {
    let values: [String: Any] = [
      "age": try Self.archive(NSNumber(value: 34)),
      "limit": try Self.archive(NSNumber(value: 33.5)),
      "name": try Self.archive("Ann" as NSString),
    ]
    for format in ["age > 20", "20 < age", "age > limit", "age BETWEEN {34, 35}", "name < 'B'"] {
      #expect(Predicate(format: format).evaluate(with: values), "\(format)")
    }
    #expect(throws: PredicateEvaluationError.self) {
      try Predicate(format: "name < 1").evaluate(Value(evaluating: values))
    }
  }
}
