import Foundation
import TestSupport
import Testing

@testable import Commands
@testable import PolicyCompiler
@testable import Scenarios
@testable import Terminal

@Suite struct HTMLReportTests {
  private static func page() throws -> String {
    try HTMLReport(report: SampleReport.make(), date: Date(timeIntervalSince1970: 0)).text()
  }

  @Test func thePageNeedsNothingElse() throws {
    let page = try Self.page()
    #expect(page.hasPrefix("<!doctype html>\n<html lang=\"en\">"))
    for text in ["<link rel=\"stylesheet", "src=\"http", "@import", "url(", "href=\"http"] {
      #expect(!page.contains(text), "\(text)")
    }
    #expect(page.contains("content=\"width=device-width, initial-scale=1\""))
    #expect(page.contains("prefers-color-scheme: dark"))
  }

  @Test func textOfScenariosIsOnlyText() throws {
    let page = try Self.page()
    #expect(!page.contains("<script>document.title"))
    #expect(page.contains("&lt;script&gt;document.title = &#39;broken&#39;&lt;/script&gt;"))
    #expect(page.contains("␛[31m"))
    #expect(page.components(separatedBy: "<script>").count == 2)
  }

  @Test func allReportsGiveTheSameNumbers() throws {
    let report = try SampleReport.make()
    let counts = report.counts
    #expect(counts.runs == counts.passed + counts.failed && counts.skipped > 0)
    let page = HTMLReport(report: report).text()
    for (name, count) in [
      ("Scenarios", counts.scenarios), ("Runs", counts.runs), ("Passed", counts.passed),
      ("Failed", counts.failed), ("Not runnable", counts.notRunnable), ("Skipped", counts.skipped),
    ] {
      #expect(page.contains("<dt>\(name)</dt><dd>\(count)</dd>"), "\(name)")
    }
    let text = TextReport(style: TextStyle(isColoured: false)).text(report)
    #expect(
      text.contains(
        "\n\(counts.scenarios) scenarios, \(counts.runs) runs: \(counts.passed) passed, "
          + "\(counts.failed) failed, \(counts.notRunnable) not runnable"))
    let json = try #require(
      JSONSerialization.jsonObject(with: JSONReport(report).data()) as? [String: Any])
    let summary = try #require(json["summary"] as? [String: Any])
    for (key, count) in [
      ("scenarios", counts.scenarios), ("runs", counts.runs), ("passed", counts.passed),
      ("failed", counts.failed), ("notRunnable", counts.notRunnable), ("skipped", counts.skipped),
    ] {
      #expect(summary[key] as? Int == count, "\(key)")
    }
  }

  @Test func scenariosHaveAddressesThatStay() throws {
    var report = try SampleReport.make()
    let paths = Set(
      report.results.map(\.id.path) + report.problems.map(\.path) + report.skipped.map(\.path))
    let page = HTMLReport(report: report).text()
    for path in paths {
      let address = HTMLScenario.address(of: path)
      #expect(page.components(separatedBy: "id=\"\(address)\"").count == 2, "\(path)")
      #expect(page.contains("<a href=\"#\(address)\">"))
    }
    report.results.reverse()
    report.skipped = []
    let later = HTMLReport(report: report).text()
    for path in report.results.map(\.id.path) {
      #expect(later.contains("id=\"\(HTMLScenario.address(of: path))\""))
    }
    #expect(
      HTMLScenario.address(of: "Scenarios/Été 1~2.scenario.yaml")
        == "Scenarios/~C3~89t~C3~A9~201~7E2.scenario.yaml")
  }

  /// Everything in a landmark, one main heading and no level left out, names on all that can be used,
  /// and each identifier once.
  @Test func aScreenReaderFindsItsWay() throws {
    let page = HTMLReport(report: try SampleReport.make()).text()
    let body = try #require(page.firstMatch(of: #/(?s)<body[^>]*>(.*?)<script>/#)).output.1
    let outside = body.replacing(
      #/(?s)<header>.*</header>|<form class="controls" role="search".*?</form>|<main.*</main>/#,
      with: "")
    #expect(outside.trimmingCharacters(in: .whitespacesAndNewlines) == "")
    let levels = body.matches(of: #/<h(\d)/#).compactMap { Int($0.output.1) }
    #expect(levels.count { $0 == 1 } == 1)
    for (above, below) in zip(levels, levels.dropFirst()) { #expect(below <= above + 1) }
    let identifiers = page.matches(of: #/\sid="([^"]+)"/#).map { String($0.output.1) }
    #expect(Set(identifiers).count == identifiers.count)
    for button in body.matches(of: #/(?s)<button[^>]*>(.*?)</button>/#) {
      #expect(!button.output.1.isEmpty)
    }
    for picture in body.matches(of: #/<svg[^>]*>/#) {
      #expect(picture.output.contains("role=\"img\"") && picture.output.contains("aria-labelledby"))
    }
  }

  @Test func thePictureShowsWhereItBroke() throws {
    let results = try SampleReport.make().results
    let wrong = try #require(results.first { $0.id.path.contains("Renamed") })
    let picture = ChainPicture(result: wrong, identifier: "x").svg()
    #expect(picture.contains("aria-labelledby=\"title-x\""))
    #expect(
      picture.contains(
        "<title id=\"title-x\">v1 to v2: inferred, wrong; v2 to v3: inferred, wrong</title>"))
    let broken = try #require(results.first { $0.id.path.contains("Required") })
    let text = ChainPicture(result: broken, identifier: "y").svg()
    #expect(text.contains("v1 to v2: custom: mapping in line 9, broken; v2 to v3: not executed"))
    #expect(text.contains("class=\"cross\"") && text.contains("error 1570"))
  }

  @Test func aLongChainIsShortenedAroundWhatBroke() throws {
    var result = try SampleReport.make().results[0]
    result.plan = (1...94).map { "v\($0) -> v\($0 + 1)" }
    result.executedSteps = []
    result.failures = [
      Failure(.crash, at: nil, step: "v40 -> v41", "p", expected: "to return", found: "x")
    ]
    let picture = ChainPicture(result: result, identifier: "z").svg()
    #expect(picture.contains("35 more steps") && picture.contains("50 more steps"))
    #expect(picture.contains("the process ended here"))
    #expect(picture.contains("A chain of 94 steps from v1 to v95"))
  }

  // MARK: In a browser

  /// Opens the page in headless Chromium as wide as a phone, uses it, and reads what is there.
  @Test(
    .enabled(if: Browser.find() != nil, Browser.absenceMessage), .tags(.process), .tiered)
  func thePageWorksOnAPhone() throws {
    let browser = try #require(Browser.find())
    let found = try browser.results(of: try Self.page(), width: 360, steps: Self.steps)
    #expect(found["title"] == "1 scenario can't be run, 4 of 6 runs failed · Heavyweight")
    #expect(found["overflow"] == "0")
    #expect(found["all"] == "5")
    #expect(found["failed"] == "3")
    #expect(found["skipped"] == "1")
    #expect(found["search"] == "1")
    #expect(found["count"] == "1 of 5 scenarios")
    #expect(found["nothing"] == "No scenario matches.")
    #expect(found["cleared"] == "5")
    #expect(found["focus"] == "search")
    #expect(found["open"] == "3")
  }

  private static let steps = """
    const visible = () => [...page.querySelectorAll(".scenario")].filter(e => !e.hidden).length;
    const press = state => page.querySelector(`[data-state="${state}"]:is(button)`).click();
    const search = page.getElementById("search");
    const type = text => { search.value = text; search.dispatchEvent(new Event("input")); };
    result.title = page.title;
    result.overflow = page.documentElement.scrollWidth - page.documentElement.clientWidth;
    result.open = page.querySelectorAll(".scenario[open]").length;
    result.all = visible();
    press("failed"); result.failed = visible();
    press("skipped"); result.skipped = visible();
    press("all");
    type("createdat  1570"); result.search = visible();
    result.count = page.getElementById("count").textContent;
    type("no such words");
    result.nothing = [...page.querySelectorAll("#empty:not([hidden])")].map(e => e.textContent).join();
    type(""); result.cleared = visible();
    page.dispatchEvent(new KeyboardEvent("keydown", { key: "/" }));
    result.focus = page.activeElement.id;
    """

  @Test(
    .enabled(if: Browser.find() != nil, Browser.absenceMessage), .tags(.process), .tiered)
  func anAddressOpensItsScenarioWhateverWasSearchedFor() throws {
    let browser = try #require(Browser.find())
    let found = try browser.results(
      of: try Self.page(), width: 1200,
      steps: """
        const card = page.querySelector(".scenario.passed");
        const search = page.getElementById("search");
        search.value = "no such words"; search.dispatchEvent(new Event("input"));
        result.before = card.hidden + " " + card.open;
        page.defaultView.location.hash = card.querySelector(".address a").getAttribute("href");
        page.defaultView.dispatchEvent(new Event("hashchange"));
        result.after = card.hidden + " " + card.open;
        result.focus = page.activeElement === card.querySelector("summary");
        """)
    #expect(found == ["before": "true false", "after": "false true", "focus": "true"])
  }

  @Test(
    .enabled(if: Browser.find() != nil, Browser.absenceMessage), .tags(.process), .tiered)
  func withoutScriptsEverythingIsReadable() throws {
    let browser = try #require(Browser.find())
    let page = try Self.page()
    let start = try #require(page.range(of: "<script>"))
    let end = try #require(page.range(of: "</script>", options: .backwards))
    let bare = page.replacingCharacters(in: start.lowerBound..<end.upperBound, with: "")
    let found = try browser.results(
      of: bare, width: 1200,
      steps: """
        const seen = e => e.getClientRects().length > 0;
        result.controls = seen(page.querySelector(".controls"));
        result.failures = [...page.querySelectorAll(".failure")].filter(seen).length;
        """)
    #expect(found == ["controls": "false", "failures": "3"])
  }
}

/// Headless Chromium.
struct Browser {
  static let absenceMessage: Comment = "needs Chromium"

  let path: String

  static func find() -> Browser? {
    let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
    let names = ["chromium", "chromium-browser", "google-chrome", "chrome"]
    let paths = names.flatMap { name in folders.map { "\($0)/\(name)" } }
    return paths.first { FileManager.default.isExecutableFile(atPath: $0) }.map {
      Browser(path: $0)
    }
  }

  /// Opens a page in a frame of a width and runs JavaScript with `page`, its document, and `result`,
  /// an object to put texts into.
  func results(of page: String, width: Int, steps: String) throws -> [String: String] {
    let folder = try TemporaryFolder()
    let wrapper = try folder.write(
      """
      <!doctype html><body><iframe id="frame" style="border:0;width:\(width)px;height:2000px"
      srcdoc="\(page.replacing("&", with: "&amp;").replacing("\"", with: "&quot;"))"></iframe>
      <script>
      document.getElementById("frame").onload = event => {
        const page = event.target.contentDocument;
        const result = {};
        try { \(steps) } catch (error) { result.error = String(error); }
        document.body.dataset.result = encodeURIComponent(JSON.stringify(result));
      };
      </script>
      """, to: "wrapper.html")
    let (_, dump) = try Command.run(
      "/usr/bin/env",
      [
        "timeout", "120", path, "--headless=new", "--no-sandbox", "--disable-gpu",
        "--disable-dev-shm-usage", "--user-data-dir=\(folder.url.appending(path: "profile").path)",
        "--virtual-time-budget=5000", "--dump-dom", wrapper.absoluteString,
      ])
    guard let match = dump.firstMatch(of: #/data-result="([^"]*)"/#),
      let text = String(match.1).removingPercentEncoding,
      let values = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
    else { throw CocoaError(.fileReadUnknown, userInfo: [NSDebugDescriptionErrorKey: dump]) }
    return values.mapValues { value in
      (value as? NSNumber).map { CFBooleanText.text($0) } ?? "\(value)"
    }
  }
}

/// JSON's booleans come as numbers.
private enum CFBooleanText {
  static func text(_ number: NSNumber) -> String {
    String(cString: number.objCType) == "c" ? "\(number.boolValue)" : "\(number)"
  }
}
