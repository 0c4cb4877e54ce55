import Foundation
import TestSupport
import Testing

/// Every command that these pages show is run, in their order, and must print and end as they say.
///
/// `console` blocks have commands behind `$ ` and what they print, both outputs together; `console exit=1` says how
/// the last one ends. A line of `…` stands for any lines; times, days and identifiers are compared as such. A `yaml`
/// block with `file=PATH` is written to that file. `HEAVYWEIGHT_REGENERATE=1` writes what is printed into the pages,
/// where nothing is left out.
@Suite(.tags(.process), .tiered) struct ExecutedPagesTests {
  private static let package = URL(filePath: #filePath).appending(path: "../../..")
    .standardizedFileURL

  /// A page, and the folders of the package that its reader has.
  struct Page: CustomTestStringConvertible, Sendable {
    let path: String
    let folder: String
    /// Writes what else the reader has, into a folder of the name.
    var files: (@Sendable (URL) throws -> Void)?
    var testDescription: String { path }
  }

  static let pages = [
    Page(path: "README.md", folder: "."),
    Page(path: "docs/cookbook.md", folder: "."),
    Page(path: "docs/reduce.md", folder: "."),
    Page(path: "docs/compare.md", folder: "."),
    Page(path: "docs/in-ten-minutes.md", folder: "Scenarios/Bookshop"),
    Page(path: "docs/github-action.md", folder: "Scenarios/Bookshop"),
    Page(path: "docs/pre-commit.md", folder: "Scenarios/Bookshop"),
    Page(path: "docs/many-machines.md", folder: "Scenarios/Bookshop"),
    Page(path: "docs/report.md", folder: "Scenarios/Bookshop"),
    Page(path: "docs/smoke.md", folder: "Scenarios/Smoke"),
    Page(path: "docs/upgrading.md", folder: "Scenarios/Bookshop"),
    Page(path: "docs/broken-store.md", folder: "Scenarios/Bookshop"),
    Page(path: "docs/swiftdata.md", folder: ".", files: SwiftDataStores.write),
    Page(path: "docs/model.md", folder: ".", files: SwiftDataStores.write),
  ]

  private static var regenerates: Bool {
    ProcessInfo.processInfo.environment["HEAVYWEIGHT_REGENERATE"] == "1"
  }

  @Test(arguments: pages) func everyCommandPrintsAndEndsAsThePageSays(_ page: Page) throws {
    let file = Self.package.appending(path: page.path)
    var text = try PageText(String(contentsOf: file, encoding: .utf8))
    let folder = try Self.reader(of: page)
    var count = 0
    for index in text.blocks.indices {
      let block = text.blocks[index]
      if let path = block.file {
        try folder.write(block.lines.joined(separator: "\n") + "\n", to: path)
      }
      for (number, command) in block.commands.enumerated() {
        let result = try Self.run(command.text, in: folder)
        count += 1
        let place = "\(page.path):\(block.line + command.line): \(command.text)"
        let isLast = number == block.commands.count - 1
        #expect(
          result.status == (isLast ? block.status : 0), "\(place)\n\(result.output)")
        if Self.regenerates, !command.output.contains(where: PrintedText.isGap) {
          text.blocks[index].commands[number].output = result.output
        } else {
          let difference = PrintedText(command.output).difference(from: PrintedText(result.output))
          #expect(difference == nil, "\(place)\n\(difference ?? "")\nprinted:\n\(result.output)")
        }
      }
    }
    #expect(count > 0)
    if Self.regenerates { try Data(text.text.utf8).write(to: file) }
  }

  /// What the pages' other blocks ask of `ci.sh` is there.
  @Test(arguments: pages) func everyScriptThatIsCalledExists(_ page: Page) throws {
    let text = try String(contentsOf: Self.package.appending(path: page.path), encoding: .utf8)
    let script = try String(contentsOf: Self.package.appending(path: "ci.sh"), encoding: .utf8)
    for call in text.matches(of: #/(?m)^\.\/ci\.sh +([a-z]+)/#) {
      #expect(script.contains("\n  \(call.output.1)) "), "\(page.path): \(call.output.0)")
    }
    for call in text.matches(of: #/(?m)^(?:\.\/)?((?:docs\/)?[a-z-]+(?:\.sh)?)\b/#)
    where call.output.0.hasPrefix("./") || call.output.0.hasPrefix("docs/") {
      let path = Self.package.appending(path: String(call.output.1)).path
      #expect(FileManager.default.isExecutableFile(atPath: path), "\(page.path): \(call.output.0)")
    }
  }

  /// The page's folder as its reader has it, and the tool on PATH.
  private static func reader(of page: Page) throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    let files = FileManager.default
    let names =
      page.folder == "."
      ? ["Scenarios"]
      : try files.contentsOfDirectory(
        atPath: package.appending(path: page.folder).path)
    for name in names {
      try files.copyItem(
        at: package.appending(path: page.folder).appending(path: name),
        to: folder.url.appending(path: name))
    }
    try page.files?(folder.url.appending(path: "Fixtures"))
    try files.createDirectory(
      at: folder.url.appending(path: ".tool"), withIntermediateDirectories: true)
    try files.createSymbolicLink(
      at: folder.url.appending(path: ".tool/heavyweight"),
      withDestinationURL: Tool.executable())
    return folder
  }

  private static func run(
    _ command: String, in folder: TemporaryFolder
  ) throws -> (status: Int32, output: [String]) {
    let result = try Tool.run(
      script: """
        exec 2>&1
        unset CI
        export PATH="$PWD/.tool:$PATH" XDG_CACHE_HOME="$PWD/.cache" NO_COLOR=1
        export CI_NODE_INDEX=1 CI_NODE_TOTAL=3
        \(command)
        """, [], in: folder)
    var lines = result.output.components(separatedBy: "\n")
    if lines.last == "" { lines.removeLast() }
    return (result.status, lines)
  }
}

/// A page of Markdown as its blocks of code and the lines between them.
private struct PageText {
  struct Command {
    /// Its line in the block, from 1.
    let line: Int
    /// As written, with continued lines.
    let lines: [String]
    var output: [String] = []

    var text: String { lines.joined(separator: "\n").replacing(#/^\s*(\$|-) /#, with: "") }
  }

  struct Block {
    /// The page's line with the fence.
    let line: Int
    let fence: String
    var lines: [String] = []
    var commands: [Command] = []

    var file: String? { fence.firstMatch(of: #/ file=(.+)$/#).map { String($0.output.1) } }
    var status: Int32 {
      fence.firstMatch(of: #/ exit=(\d+)/#).flatMap { Int32($0.output.1) } ?? 0
    }
    /// Whether it is made of its commands and nothing else.
    var isConsole: Bool { fence.hasPrefix("```console") }
  }

  var blocks: [Block] = []
  /// The lines before each block, and those behind the last.
  private var between: [[String]] = [[]]

  init(_ text: String) throws {
    var open: Block?
    for (index, line) in text.components(separatedBy: "\n").enumerated() {
      if line.hasPrefix("```"), let block = open {
        try #require(line == "```", "line \(index + 1)")
        blocks.append(Self.withCommands(block))
        between.append([])
        open = nil
      } else if line.hasPrefix("```") {
        open = Block(line: index + 1, fence: line)
      } else if open != nil {
        open?.lines.append(line)
      } else {
        between[between.count - 1].append(line)
      }
    }
    try #require(open == nil, "a block isn't closed")
  }

  private static func withCommands(_ block: Block) -> Block {
    var block = block
    var index = 0
    while index < block.lines.count {
      let line = block.lines[index]
      // In the script of a service, commands are items of a list.
      let isCommand =
        block.isConsole
        ? line.hasPrefix("$ ") : line.wholeMatch(of: #/ +- heavyweight .+/#) != nil
      if isCommand {
        var lines = [line]
        let start = index + 1
        while lines.last?.hasSuffix("\\") == true, index + 1 < block.lines.count {
          index += 1
          lines.append(block.lines[index])
        }
        block.commands.append(Command(line: start, lines: lines))
        if !block.isConsole { block.commands[block.commands.count - 1].output = ["…"] }
      } else if block.isConsole, !block.commands.isEmpty {
        block.commands[block.commands.count - 1].output.append(line)
      }
      index += 1
    }
    return block
  }

  var text: String {
    var lines: [String] = []
    for (index, block) in blocks.enumerated() {
      lines += between[index] + [block.fence]
      lines += block.isConsole ? block.commands.flatMap { $0.lines + $0.output } : block.lines
      lines.append("```")
    }
    return (lines + between[blocks.count]).joined(separator: "\n")
  }
}

/// Lines that a command printed, or that a page says it prints.
private struct PrintedText {
  let lines: [String]

  init(_ lines: [String]) {
    self.lines = lines.map {
      var line = $0
      while line.hasSuffix(" ") { line.removeLast() }
      return line.replacing(#/ *\b\d+(\.\d+)? ?(ns|µs|ms|s|min)\b/#, with: " TIME")
        .replacing(#/\d{4}-\d\d-\d\d/#, with: "DAY")
        .replacing(#/\/t\d+\b/#, with: "/tNUMBER")
        .replacing(#/^slowest: .*/#, with: "slowest")
        .replacing(#/[0-9A-F]{8}(-[0-9A-F]{4}){3}-[0-9A-F]{12}/#, with: "UUID")
    }
    .reversed().drop { $0.isEmpty }.reversed()
  }

  /// Whether a line stands for any number of others.
  static func isGap(_ line: String) -> Bool { line.drop { $0 == " " } == "…" }

  /// The first line here that isn't printed where it should be; nil if all are.
  func difference(from printed: PrintedText) -> String? {
    var rest = printed.lines[...]
    let parts = lines.split(omittingEmptySubsequences: false, whereSeparator: Self.isGap)
    for (index, part) in parts.enumerated() {
      let isLast = index == parts.count - 1
      let offsets: [Int] =
        index == 0 ? [0] : isLast ? [rest.count - part.count] : Array(0...max(rest.count, 0))
      guard
        let offset = offsets.first(where: { $0 >= 0 && rest.dropFirst($0).starts(with: part) })
      else { return "not printed there: \(part.joined(separator: "\n"))" }
      rest = rest.dropFirst(offset + part.count)
      if isLast, !rest.isEmpty { return "printed besides: \(rest.joined(separator: "\n"))" }
    }
    return nil
  }
}
