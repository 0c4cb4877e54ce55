import Foundation
import FoundationXML
import TestSupport
import Testing

@testable import Commands
@testable import PolicyCompiler
@testable import Scenarios
@testable import Terminal

@Suite struct JUnitReportTests {
  private func text() throws -> String {
    try JUnitReport(
      report: SampleReport.make(), date: Date(timeIntervalSince1970: 0), host: "build-7"
    ).text()
  }

  @Test func aCommandThatFailsWithoutFindingsIsNotGreen() {
    let found = ToldFindings(command: "diff", file: "a, b", findings: [], isFailure: true)
    #expect(found.junit.contains(#"tests="1" failures="1" errors="0""#))
    #expect(
      found.annotations.hasPrefix("::error file=a%2C b,title=heavyweight diff%3A not-passed::"))
  }

  @Test func countsAddUp() throws {
    let document = try Element.parse(try text())
    #expect(document.name == "testsuites")
    let suites = document.children
    #expect(suites.map { $0.attributes["name"] ?? "" }.count == 5)
    for count in ["tests", "failures", "errors"] {
      let sum = suites.reduce(0) { $0 + (Int($1.attributes[count] ?? "") ?? 0) }
      #expect(document.attributes[count] == "\(sum)", "\(count)")
    }
    for suite in suites {
      let cases = suite.children.filter { $0.name == "testcase" }
      func count(_ name: String) -> Int {
        cases.count { $0.children.contains { $0.name == name } }
      }
      #expect(suite.attributes["tests"] == "\(cases.count)")
      #expect(suite.attributes["failures"] == "\(count("failure"))")
      #expect(suite.attributes["errors"] == "\(count("error"))")
      #expect(suite.attributes["skipped"] == "\(count("skipped"))")
    }
    #expect(document.attributes["tests"] == "8")
    #expect(document.attributes["failures"] == "4")
  }

  @Test func hostileTextSurvives() throws {
    let text = try text()
    #expect(!text.unicodeScalars.contains { $0.value < 0x20 && $0 != "\n" })
    let suites = try Element.parse(text).children
    let hostile = try #require(
      suites.first { $0.attributes["package"] == "Scenarios.Hostile" })
    #expect(
      hostile.attributes["name"]
        == "<script>document.title = 'broken'</script> & \"quotes\" ␛[31m")
    let output = hostile.children.first?.children.first { $0.name == "system-out" }
    #expect(output?.text == "printed ␇<&>\n")
  }

  @Test func aFailureHasItsWholeText() throws {
    let suites = try Element.parse(try text()).children
    let suite = try #require(suites.first { $0.attributes["package"] == "Scenarios.Renamed" })
    #expect(suite.attributes["timestamp"] == "1970-01-01T00:00:00")
    #expect(suite.attributes["hostname"] == "build-7")
    let failure = try #require(suite.children.first?.children.first)
    #expect(failure.attributes["type"] == "expectation")
    #expect(
      failure.attributes["message"]
        == "Song waltz, singer: expected \"Ann & <b>Bob</b>\", found null (and 1 more)")
    #expect(failure.text.contains("heavyweight explain lost-rename"))
    #expect(failure.text.contains("again     heavyweight run Scenarios/Renamed.scenario.yaml"))
  }

  /// The elements and attributes that Jenkins, Ant and Surefire take, and no more than one outcome of a case.
  @Test func itIsValidAgainstTheCommonSchema() throws {
    let folder = try TemporaryFolder()
    let report = try folder.write(try text(), to: "report.xml")
    let schema = DocumentationTests.package.appending(path: "Tests/Schemas/junit.xsd")
    let (status, output) = try Command.run(
      "/usr/bin/env", ["xmllint", "--noout", "--schema", schema.path, report.path])
    if status == 127 { try Test.cancel("needs xmllint") }
    #expect(status == 0, "\(output)")
    let wrong = try folder.write(
      try text().replacing("<failure ", with: "<failed ").replacing(
        "</failure>", with: "</failed>"),
      to: "wrong.xml")
    let refused = try Command.run(
      "/usr/bin/env", ["xmllint", "--noout", "--schema", schema.path, wrong.path])
    #expect(refused.0 != 0)
  }
}

/// An element of an XML document.
final class Element {
  let name: String
  let attributes: [String: String]
  fileprivate(set) var children: [Element] = []
  fileprivate(set) var text = ""

  init(_ name: String, _ attributes: [String: String] = [:]) {
    self.name = name
    self.attributes = attributes
  }

  static func parse(_ text: String) throws -> Element {
    let reader = Reader()
    let parser = XMLParser(data: Data(text.utf8))
    parser.delegate = reader
    guard parser.parse(), let root = reader.root.children.first else {
      throw parser.parserError ?? CocoaError(.fileReadCorruptFile)
    }
    return root
  }

  private final class Reader: NSObject, XMLParserDelegate {
    let root = Element("")
    private lazy var stack = [root]

    func parser(
      _ parser: XMLParser, didStartElement name: String, namespaceURI: String?,
      qualifiedName: String?, attributes: [String: String]
    ) {
      let element = Element(name, attributes)
      stack.last?.children.append(element)
      stack.append(element)
    }

    func parser(
      _ parser: XMLParser, didEndElement name: String, namespaceURI: String?,
      qualifiedName: String?
    ) { stack.removeLast() }

    func parser(_ parser: XMLParser, foundCharacters string: String) {
      stack.last?.text += string
    }
  }
}
