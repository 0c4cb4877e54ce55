import Foundation
import TestSupport
import Testing

/// The pages in a real browser: what keyboard and screen reader need is there.
///
/// The rules are those of axe's that matter for such pages, written here; where axe is at hand, all of its own, too.
@Suite(
  .enabled(if: Browser.executable != nil, "chromium is missing: ./ci.sh installs it"),
  .tags(.process), .tiered)
struct BrowserTests {
  private func folder() throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    try folder.write(LibraryScenario.passing, to: "Library.scenario.yaml")
    let result = try Tool.run(["run", "Library.scenario.yaml", "--html", "page"], in: folder)
    try #require(result.status == 0, "\(result.errors)")
    return folder
  }

  @Test func aPageCanBeUsedByKeyboardAndScreenReader() throws {
    let folder = try folder()
    for scheme in ["light", "dark"] {
      let problems = try Browser.problems(
        of: folder.url.appending(path: "page/index.html"), scheme: scheme, in: folder)
      #expect(problems == [], "\(scheme)")
    }
  }

  /// The checks themselves find what is wrong.
  @Test func aPageThatIsWrongIsFoundOut() throws {
    let folder = try TemporaryFolder()
    try folder.write(
      """
      <!doctype html><html><head><title></title></head><body style="background:#fff">
      <h3 style="color:#ddd">Pale</h3><button></button><input id="x"><img src="data:,">
      <a href="#" tabindex="3">link</a><div id="x"></div><table><tr><td>1</td></tr></table>
      <svg role="img"></svg></body></html>
      """, to: "wrong.html")
    let problems = try Browser.problems(
      of: folder.url.appending(path: "wrong.html"), scheme: "light", in: folder)
    let rules = Set(problems.map { String($0.prefix { $0 != ":" }) })
    #expect(
      rules.isSuperset(of: [
        "html-has-lang", "document-title", "page-has-heading-one", "color-contrast", "button-name",
        "label", "image-alt", "tabindex", "duplicate-id", "landmark-one-main", "td-has-header",
        "svg-img-alt",
      ]), "\(rules.sorted())")
  }
}

/// Chromium without a window.
enum Browser {
  static let executable: URL? = ["chromium", "chromium-browser", "google-chrome"].lazy
    .flatMap { name in
      (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").map {
        URL(fileURLWithPath: String($0)).appending(path: name)
      }
    }.first { FileManager.default.isExecutableFile(atPath: $0.path) }

  /// What of the rules a page breaks, as `rule: element`.
  static func problems(
    of page: URL, scheme: String, in folder: TemporaryFolder
  ) throws -> [String] {
    let found = try ask("check(page)", of: page, scheme: scheme, in: folder)
    return try found.split(separator: "\n").map(String.init)
      + axeProblems(of: page, scheme: scheme, in: folder)
  }

  /// `./ci.sh` puts it there.
  private static let axe = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()
    .appending(path: ".build/axe/axe_playwright_python/axe.min.js")

  /// What axe finds in a copy of the page in which its script may run; nothing where there is no axe.
  private static func axeProblems(
    of page: URL, scheme: String, in folder: TemporaryFolder
  ) throws -> [String] {
    guard let script = try? String(contentsOf: axe, encoding: .utf8) else { return [] }
    let text = try String(contentsOf: page, encoding: .utf8)
      .replacing(#/<meta http-equiv="Content-Security-Policy"[^>]*>/#, with: "")
    let question = """
      <script>\(script)</script><script>
      axe.run(document).then(result => result.violations.flatMap(violation =>
        violation.nodes.map(node => violation.id + ": axe: " + node.target.join(" "))).join("\\n"),
        error => "script: " + error).then(text => { document.title =
        "<<<" + btoa(unescape(encodeURIComponent(text))) + ">>>"; });
      </script></body>
      """
    let name = "axe-\(UUID().uuidString.prefix(8)).html"
    try folder.write(text.replacing("</body>", with: question), to: name)
    let found = try answer(
      in: open(folder.url.appending(path: name), scheme: scheme, in: folder))
    return found.split(separator: "\n").map(String.init)
  }

  /// The page lies in a frame, since its own rules let no foreign script run in it.
  private static func ask(
    _ question: String, of page: URL, scheme: String, in folder: TemporaryFolder
  ) throws -> String {
    let name = "frame-\(UUID().uuidString.prefix(8)).html"
    try folder.write(
      """
      <!doctype html><meta charset="utf-8"><iframe id="f" width="1000" height="800" src="\(page.absoluteString)"></iframe>
      <pre id="answer"></pre>
      <script>
      \(Self.rules)
      document.getElementById("f").addEventListener("load", () => {
        const page = document.getElementById("f").contentDocument;
        let answer;
        try { answer = \(question); } catch (error) { answer = "script: " + error; }
        document.getElementById("answer").textContent = "<<<" + btoa(unescape(encodeURIComponent(answer))) + ">>>";
      });
      </script>
      """, to: name)
    return try answer(in: open(folder.url.appending(path: name), scheme: scheme, in: folder))
  }

  /// What a script left between `<<<` and `>>>`.
  private static func answer(in dom: String) throws -> String {
    let text = dom.replacing("&lt;", with: "<").replacing("&gt;", with: ">")
    let match = try #require(
      text.firstMatch(of: #/<<<([A-Za-z0-9+\/=]*)>>>/#), "\(dom.suffix(500))")
    let data = try #require(Data(base64Encoded: String(match.1)))
    return String(decoding: data, as: UTF8.self)
  }

  /// The page as it is when its scripts have run.
  private static func open(
    _ page: URL, scheme: String, in folder: TemporaryFolder
  ) throws -> String {
    let browser = try #require(executable)
    return try Tool.run(
      script: "exec \"$0\" \"$@\" 2>/dev/null",
      [
        browser.path, "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
        "--allow-file-access-from-files", "--disable-web-security",
        "--user-data-dir=\(folder.url.appending(path: "profile").path)",
        "--virtual-time-budget=10000",
        scheme == "dark" ? "--force-dark-mode" : "--disable-features=DarkMode",
        "--blink-settings=preferredColorScheme=\(scheme == "dark" ? 0 : 1)", "--dump-dom",
        page.absoluteString,
      ], in: folder
    ).output
  }

  private static let rules = #"""
    function check(page) {
      const found = [], view = page.defaultView;
      const say = (rule, element) => found.push(rule + ": " +
        (element ? element.outerHTML.slice(0, 90).replace(/\s+/g, " ") : ""));
      const all = selector => Array.from(page.querySelectorAll(selector));
      const name = element => (element.getAttribute("aria-label") ||
        (element.getAttribute("aria-labelledby") || "").split(" ").map(id => {
          const other = id && page.getElementById(id); return other ? other.textContent : ""; }).join(" ") ||
        (element.labels && element.labels.length ? element.labels[0].textContent : "") ||
        element.textContent || element.getAttribute("title") || "").trim();
      if (!page.documentElement.lang) say("html-has-lang");
      if (!page.title.trim()) say("document-title");
      if (all("main,[role=main]").length !== 1) say("landmark-one-main");
      if (all("h1").length !== 1) say("page-has-heading-one");
      let level = 0;
      for (const heading of all("h1,h2,h3,h4,h5,h6")) {
        const now = Number(heading.tagName[1]);
        if (now > level + 1) say("heading-order", heading);
        if (!heading.textContent.trim()) say("empty-heading", heading);
        level = now;
      }
      for (const element of all("button,[role=button],summary")) if (!name(element)) say("button-name", element);
      for (const element of all("a[href]")) if (!name(element)) say("link-name", element);
      for (const element of all("input:not([type=hidden]),select,textarea")) {
        const own = element.getAttribute("aria-label") || element.getAttribute("aria-labelledby") ||
          (element.labels && element.labels.length);
        if (!own) say("label", element);
      }
      for (const element of all("img")) if (!element.hasAttribute("alt")) say("image-alt", element);
      for (const element of all("svg[role=img]"))
        if (!element.hasAttribute("aria-label") && !name({ getAttribute: key => element.getAttribute(key),
          textContent: "", labels: null })) say("svg-img-alt", element);
      for (const element of all("[tabindex]")) if (element.tabIndex > 0) say("tabindex", element);
      for (const element of all("[role=region]")) if (!name({ getAttribute: key => element.getAttribute(key),
          textContent: "", labels: null })) say("region-name", element);
      const ids = {};
      for (const element of all("[id]")) { if (ids[element.id]) say("duplicate-id", element); ids[element.id] = 1; }
      for (const element of all("[aria-labelledby],[aria-controls],[aria-describedby]"))
        for (const key of ["aria-labelledby", "aria-controls", "aria-describedby"])
          for (const id of (element.getAttribute(key) || "").split(" "))
            if (id && !page.getElementById(id)) say("aria-valid-attr-value", element);
      for (const table of all("table")) if (!table.querySelector("th[scope]")) say("td-has-header", table);
      for (const list of all("ul,ol")) for (const item of list.children)
        if (!["LI", "SCRIPT", "TEMPLATE"].includes(item.tagName)) say("list", list);
      for (const element of all("[aria-hidden=true]"))
        if (element.querySelector("a[href],button,input,[tabindex]")) say("aria-hidden-focus", element);
      for (const element of all("*")) if (view.getComputedStyle(element).overflowX === "auto" &&
          element.scrollWidth > element.clientWidth + 1 && element.tabIndex < 0) say("scrollable-region-focusable", element);
      const number = text => { const parts = text.match(/[\d.]+/g).map(Number);
        return { rgb: parts.slice(0, 3), a: parts.length > 3 ? parts[3] : 1 }; };
      const light = rgb => { const part = rgb.map(x => { x /= 255;
        return x <= 0.03928 ? x / 12.92 : Math.pow((x + 0.055) / 1.055, 2.4); });
        return 0.2126 * part[0] + 0.7152 * part[1] + 0.0722 * part[2]; };
      const ground = element => { for (let e = element; e; e = e.parentElement) {
        const color = number(view.getComputedStyle(e).backgroundColor); if (color.a > 0.99) return color.rgb; }
        return [255, 255, 255]; };
      const shown = element => element.checkVisibility ? element.checkVisibility() : true;
      for (const element of all("body *")) {
        if (element.closest("svg,[aria-hidden=true],.sr") || !shown(element)) continue;
        const own = Array.from(element.childNodes).some(n => n.nodeType === 3 && n.textContent.trim());
        if (!own) continue;
        const style = view.getComputedStyle(element);
        const a = light(number(style.color).rgb), b = light(ground(element));
        const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
        const size = parseFloat(style.fontSize), large = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700);
        if (ratio < (large ? 3 : 4.5)) say("color-contrast", element);
      }
      // By Tab everything comes in the order in which it is read.
      const reach = all("a[href],button,input,select,textarea,summary,[tabindex='0']").filter(shown);
      for (const element of reach) { element.focus({ preventScroll: true });
        if (page.activeElement !== element) say("focus", element); }
      return found.join("\n");
    }
    """#
}
