import Foundation
import Testing

@testable import Commands
@testable import PolicyCompiler
@testable import Scenarios
@testable import Terminal

/// The page that `heavyweight bench --html` writes.
@Suite struct BenchPageTests {
  private static let sizes: [BenchSamples.Size] = [
    (1000, [0.1, 0.12], 30 << 20), (10_000, [1, 1.1], 60 << 20), (100_000, [20, 21], 90 << 20),
  ]

  private static func page() -> String {
    let counters: [BenchCounter: Int] = [.objects: 7, .statements: 12]
    let own = [
      BenchSamples.result(sizes, backend: .memory, counters: counters),
      BenchSamples.result(sizes, counters: counters),
    ]
    let old = BenchSamples.result(sizes, counters: [.objects: 7, .statements: 11])
    return BenchPage(
      summary: BenchSamples.summary(own, against: [old], gates: .init(megabytes: 50))
    ).text()
  }

  @Test func thePageNeedsNothingElse() {
    let page = Self.page()
    #expect(page.hasPrefix("<!doctype html>\n<html lang=\"en\">"))
    for text in [
      "<link rel=\"stylesheet", "src=\"http", "@import", "url(", "href=\"http", "<script",
    ] {
      #expect(!page.contains(text), "\(text)")
    }
    #expect(page.contains("Tags &amp; co.") && !page.contains("Tags & co."))
    #expect(page.contains(Machine.description))
  }

  /// That nothing is known of any size is no success.
  @Test func aComparisonThatDecidesNothingHasNoTick() {
    let own = BenchSamples.result([(1000, [0.1, 0.3], 30 << 20), (10_000, [1, 2.5], 60 << 20)])
    let old = BenchSamples.result([(1000, [0.12, 0.28], 30 << 20), (10_000, [1.2, 2], 60 << 20)])
    let summary = BenchSamples.summary([own], against: [old])
    let page = BenchPage(summary: summary).text()
    #expect(page.contains("<body class=\"open\">"))
    #expect(page.contains("aria-hidden=\"true\">?</span> Inconclusive at every size</h1>"))
    #expect(!page.contains(">✓<"))
    let text = BenchTextReport(summary: summary, style: TextStyle(isColoured: false)).text()
    #expect(text.contains("\n? inconclusive at every size\n") && !text.contains("✓"))
    // One that is known is a verdict.
    let worse = BenchSamples.result([
      (1000, [0.1, 0.3], 30 << 20), (10_000, [9, 9.1, 9.2], 60 << 20),
    ])
    let past = BenchSamples.result([
      (1000, [0.12, 0.28], 30 << 20), (10_000, [1, 1.1, 1], 60 << 20),
    ])
    #expect(!BenchSamples.summary([worse], against: [past]).isInconclusive)
    #expect(!BenchSamples.summary([own]).isInconclusive)
  }

  @Test func axesAreLogarithmicWithRoundNumbers() {
    let axis = LogAxis([3, 3000], from: 0, to: 300, leastFactor: 1)
    #expect(axis.ticks == [10, 100, 1000])
    #expect(abs(axis.place(of: 30) - 100) < 1e-9 && abs(axis.place(of: 3000) - 300) < 1e-9)
    let short = LogAxis([2, 9], from: 0, to: 1, leastFactor: 1)
    #expect(short.ticks == [2, 5])
    let same = LogAxis([8, 8], from: 0, to: 2, leastFactor: 4)
    #expect(same.binaryTicks == [4, 8, 16] && abs(same.place(of: 8) - 1) < 1e-9)
    #expect(LogAxis([1, 1_099_511_627_776], from: 0, to: 1, leastFactor: 1).binaryTicks.count <= 7)
  }

  @Test func sizesHaveShortNames() {
    #expect(
      [7, 999, 1000, 10_002, 1_500_000].map(LogChart.short) == ["7", "999", "1k", "10k", "1.5M"])
  }

  /// Opens the page in headless Chromium as wide as a phone, and reads what is there.
  @Test(
    .enabled(if: Browser.find() != nil, Browser.absenceMessage), .tags(.process), .tiered)
  func thePageIsReadableOnAPhone() throws {
    let browser = try #require(Browser.find())
    let found = try browser.results(
      of: Self.page(), width: 360,
      steps: """
        const seen = e => e.getClientRects().length > 0;
        const texts = selector => [...page.querySelectorAll(selector)].map(e => e.textContent.trim());
        result.title = page.title;
        result.overflow = page.documentElement.scrollWidth - page.documentElement.clientWidth;
        result.plots = [...page.querySelectorAll(".plot")].filter(seen).length;
        result.points = page.querySelectorAll(".plot circle").length;
        const small = [...page.querySelectorAll(".plot text")]
          .filter(e => e.getBoundingClientRect().height < 9);
        result.small = small.length;
        const time = page.querySelector(".plot");
        result.label = time.querySelector("title").textContent;
        const heights = [...time.querySelectorAll(".s1 circle")].map(c => +c.getAttribute("cy"));
        result.rises = heights[0] > heights[1] && heights[1] > heights[2];
        result.gates = texts(".gates li").join(" | ");
        result.pills = texts(".pill").join(" | ");
        result.bars = [...page.querySelectorAll(".steps[open] .bar")].filter(seen).length;
        result.passes = texts(".steps[open] .pass th").join(" ");
        result.machine = texts(".machine").join();
        """)
    #expect(found["error"] == nil)
    #expect(found["title"] == "7 gates failed · Heavyweight bench")
    #expect(found["overflow"] == "0")
    #expect(found["plots"] == "2")
    #expect(found["points"] == "18")
    #expect(found["small"] == "0")
    #expect(found["rises"] == "true")
    #expect(
      found["label"]?.hasPrefix(
        "Time against objects, logarithmic. SQLite, baseline: 1,000 objects")
        == true)
    #expect(
      found["gates"]?.contains("10,000 objects take 60 MB of memory, more than 50 MB") == true)
    #expect(
      found["gates"]?.contains("1,000 objects: SQL statements run: 12, 11 before (+9.09%)") == true)
    #expect(found["pills"] == "same ×1.00 | same ×1.00 | same ×1.00")
    #expect(found["bars"] == "8")
    #expect(found["passes"] == "read instance creation save read instance creation save")
    #expect(found["machine"] == Machine.description)
  }
}
