/// What every page has: its looks and its behaviour.
package enum HTMLPage {
  /// A number with its name.
  /// - Parameter look: The class that it has when it isn't 0.
  package static func tile(_ name: String, _ count: Int, _ look: String) -> String {
    "<div class=\"tile \(count > 0 ? look : "")\"><dt>\(name)</dt><dd>\(count)</dd></div>"
  }

  package static func time(_ date: Date) -> String {
    let text = date.ISO8601Format()
    let shown = text.replacing("T", with: " ").replacing("Z", with: " UTC")
    return "<time datetime=\"\(text)\">\(shown)</time>"
  }

  /// A whole page: one file that needs no other, and no network.
  /// - Parameters:
  ///   - title: Markup.
  ///   - style: Rules beside those of every page.
  ///   - script: What the page does; nil for one that runs nothing.
  package static func text(
    title: String, isGood: Bool, style: String? = nil, body: String, script: String? = nil
  ) -> String {
    """
    \(ReportForm.pageStart) \(script == nil ? "" : "script-src 'unsafe-inline'; ")img-src data:">
    <title>\(title)</title>
    <link rel="icon" href="data:,">
    <style>
    \([self.style, style].compactMap { $0 }.joined(separator: "\n"))
    </style>
    </head>
    <body class="\(isGood ? "good" : "bad")">
    \(body)
    \(script.map { "<script>\n\($0)\n</script>\n" } ?? "")</body>
    </html>

    """
  }

  /// Colours that are legible on both grounds; nothing wider than a phone.
  static let style = """
    :root { --ground: #f6f7f9; --card: #fff; --ink: #16181d; --soft: #5b6270; --line: #dfe3ea;
      --good: #136f3a; --good-ground: #e4f5ea; --bad: #b3261e; --bad-ground: #fdeceb;
      --notable: #7a5200; --accent: #2456c8; --code: #f0f2f6; }
    @media (prefers-color-scheme: dark) { :root { --ground: #0f1115; --card: #181b21; --ink: #e9ecf1;
      --soft: #a2abba; --line: #2b303a; --good: #6fd697; --good-ground: #12301e; --bad: #ff8d84;
      --bad-ground: #3a1816; --notable: #f0c163; --accent: #8fb3ff; --code: #21252d; } }
    * { box-sizing: border-box; }
    html { -webkit-text-size-adjust: 100%; }
    body { margin: 0 auto; padding: 1.25rem clamp(.75rem, 3vw, 2rem) 4rem; max-width: 68rem;
      background: var(--ground); color: var(--ink); overflow-wrap: anywhere;
      font: 16px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", sans-serif; }
    code, pre, .place, .path, .values dd, .history b { font-family: ui-monospace, SFMono-Regular,
      Menlo, Consolas, "DejaVu Sans Mono", monospace; font-size: .875em; }
    pre { white-space: pre-wrap; background: var(--code); padding: .75rem; border-radius: .5rem;
      margin: .5rem 0; }
    .sr { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%);
      white-space: nowrap; }
    [hidden] { display: none !important; }
    :focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; border-radius: .25rem; }
    header .brand { margin: 0; color: var(--soft); font-size: .875rem; letter-spacing: .02em; }
    h1 { margin: .25rem 0; font-size: clamp(1.5rem, 5vw, 2.25rem); line-height: 1.2;
      letter-spacing: -.015em; }
    .mark { font-weight: 700; }
    body.good h1 .mark, .passed > summary .mark { color: var(--good); }
    body.bad h1 .mark, .failed > summary .mark { color: var(--bad); }
    .skipped > summary .mark { color: var(--notable); }
    .meta { margin: 0 0 1rem; color: var(--soft); font-size: .875rem; }
    .tiles { display: grid; grid-template-columns: repeat(auto-fit, minmax(6rem, 1fr)); gap: .5rem;
      margin: 0 0 1rem; }
    .tile { background: var(--card); border: 1px solid var(--line); border-radius: .75rem;
      padding: .5rem .75rem; }
    .tile dt { color: var(--soft); font-size: .8125rem; }
    .tile dd { margin: 0; font-size: 1.5rem; font-weight: 650; line-height: 1.2;
      font-variant-numeric: tabular-nums; }
    .tile.good dd { color: var(--good); } .tile.bad dd { color: var(--bad); }
    .tile.notable dd { color: var(--notable); }
    .absences { margin: 0 0 1rem; padding-left: 1.25rem; color: var(--soft); font-size: .875rem; }
    .controls { position: sticky; top: 0; z-index: 1; display: flex; flex-wrap: wrap; gap: .5rem;
      align-items: center; padding: .625rem 0; background: var(--ground); }
    .controls input { flex: 1 1 14rem; min-width: 0; font: inherit; color: inherit;
      background: var(--card); border: 1px solid var(--line); border-radius: .625rem;
      padding: .5rem .75rem; }
    .controls input::placeholder { color: var(--soft); opacity: 1; }
    .choices { display: flex; flex-wrap: wrap; gap: .25rem; }
    button { font: inherit; font-size: .875rem; color: var(--ink); background: var(--card);
      border: 1px solid var(--line); border-radius: .625rem; padding: .4375rem .75rem;
      min-height: 2.5rem; cursor: pointer; }
    button[aria-pressed="true"] { background: var(--ink); color: var(--card);
      border-color: var(--ink); }
    #count { flex-basis: 100%; color: var(--soft); font-size: .8125rem; }
    .scenario { background: var(--card); border: 1px solid var(--line); border-radius: .75rem;
      margin: 0 0 .5rem; }
    .scenario.failed { border-left: 4px solid var(--bad); }
    .scenario > summary { display: flex; gap: .625rem; align-items: baseline; padding: .75rem 1rem;
      cursor: pointer; list-style: none; border-radius: .75rem; }
    .scenario > summary::-webkit-details-marker { display: none; }
    .scenario > summary:hover .title { text-decoration: underline; text-underline-offset: .2em; }
    .names { flex: 1; min-width: 0; display: flex; flex-direction: column; }
    .title { font-weight: 600; } .path, .time { color: var(--soft); }
    .time { font-size: .875rem; white-space: nowrap; font-variant-numeric: tabular-nums; }
    .body { padding: 0 1rem 1rem; } .address { margin: .75rem 0 0; font-size: .8125rem; }
    .scenario:target { outline: 2px solid var(--accent); } a { color: var(--accent); }
    .run + .run { border-top: 1px solid var(--line); margin-top: 1rem; padding-top: .25rem; }
    .run h2 { font-size: .9375rem; margin: .5rem 0 .75rem; font-weight: 600; }
    .pill { display: inline-block; padding: .0625rem .5rem; border-radius: 1rem; font-size: .8125rem;
      font-weight: 550; font-variant-numeric: tabular-nums; }
    .pill.good { color: var(--good); background: var(--good-ground); }
    .pill.bad { color: var(--bad); background: var(--bad-ground); }
    .columns { display: grid; gap: 1rem; }
    @media (min-width: 50rem) { .columns { grid-template-columns: 21rem minmax(0, 1fr); } }
    .facts { min-width: 0; }
    figure { margin: 0; }
    .chain { display: block; width: 100%; max-width: 21.25rem; height: auto;
      font: 12.5px system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; }
    .chain text { fill: var(--ink); } .chain .note { fill: var(--soft); font-size: 12px; }
    .chain .version rect { fill: var(--code); stroke: var(--line); stroke-width: 1.5; }
    .chain .version text { font-weight: 600; font-size: 14px; }
    .chain .wrong rect { stroke: var(--bad); fill: var(--bad-ground); }
    .chain .missing rect { fill: none; stroke-dasharray: 4 4; }
    .chain .version.missing text { fill: var(--soft); font-weight: 400; }
    .chain .step path { fill: none; stroke: var(--good); stroke-width: 2; stroke-linecap: round; }
    .chain .step.wrong path, .chain .step.broken path { stroke: var(--bad); }
    .chain .step.wrong text, .chain .step.broken text { fill: var(--bad); font-weight: 600; }
    .chain .step.broken path, .chain .step.missing path, .chain .step.dots path {
      stroke-dasharray: 4 5; }
    .chain .step.broken .cross { stroke-dasharray: none; stroke-width: 3; }
    .chain .step.missing path, .chain .step.dots path { stroke: var(--soft); }
    .held { margin: 0 0 .5rem; color: var(--good); }
    .failure { border: 1px solid var(--line); border-radius: .625rem; padding: .75rem;
      margin: 0 0 .75rem; }
    .failure h3 { margin: 0; font-size: 1rem; } .place { margin: 0 0 .5rem; color: var(--soft); }
    dl { margin: 0; } dd { margin: 0; }
    .values { display: grid; gap: .375rem; margin-bottom: .625rem; }
    @media (min-width: 34rem) { .values { grid-template-columns: 1fr 1fr; } }
    .values > div { border-radius: .5rem; padding: .375rem .625rem; }
    .values dt { font-size: .75rem; } .values dd { white-space: pre-wrap; font-weight: 600; }
    .expected { background: var(--good-ground); color: var(--good); }
    .found { background: var(--bad-ground); color: var(--bad); }
    .history { display: flex; flex-wrap: wrap; gap: .375rem; margin: 0 0 .625rem; padding: 0;
      list-style: none; }
    .history li { border: 1px solid var(--line); border-radius: .5rem; padding: .125rem .5rem;
      font-size: .875rem; }
    .history li span { color: var(--soft); margin-right: .5ch; }
    .history li.bad { border-color: var(--bad); } .history li.bad b { color: var(--bad); }
    .rest > div { display: grid; grid-template-columns: 4rem minmax(0, 1fr); gap: .5rem;
      font-size: .9375rem; padding: .125rem 0; }
    .rest dt { color: var(--soft); }
    .rest .hint { background: var(--code); border-radius: .5rem; padding: .5rem .625rem;
      margin: .375rem 0; }
    .again { display: flex; flex-wrap: wrap; gap: .5rem; align-items: center; margin-top: .625rem; }
    .again code { flex: 1 1 16rem; background: var(--code); border-radius: .5rem;
      padding: .5rem .625rem; }
    .steps { margin-top: .5rem; } .steps > summary { cursor: pointer; color: var(--soft);
      font-size: .875rem; padding: .25rem 0; }
    table { width: 100%; border-collapse: collapse; font-size: .875rem; }
    th, td { text-align: left; vertical-align: top; padding: .375rem .5rem .375rem 0;
      border-top: 1px solid var(--line); font-weight: 400; }
    thead th { color: var(--soft); border-top: 0; } th ul { margin: .25rem 0 0; padding-left: 1rem;
      color: var(--soft); } small { color: var(--soft); } .stale { color: var(--notable); }
    .timing { display: block; white-space: nowrap; } .number { white-space: nowrap; text-align: right;
      font-variant-numeric: tabular-nums; }
    .bar { display: inline-block; width: clamp(2rem, 12vw, 7rem); height: .5rem;
      border-radius: .25rem; background: linear-gradient(to right, var(--accent) var(--part),
      var(--code) var(--part)); }
    .slowest { margin-top: 2rem; } .slowest h2 { font-size: 1rem; } .slowest td { width: 1%; }
    @media print { .controls, .copy { display: none; } .scenario { break-inside: avoid; } }
    """

  /// Filter, search and copying; without it all scenarios are there to be read.
  static let script = """
    (() => {
      const form = document.querySelector(".controls");
      const search = document.getElementById("search");
      const count = document.getElementById("count");
      const empty = document.getElementById("empty");
      const buttons = [...form.querySelectorAll("button")];
      const scenarios = [...document.querySelectorAll(".scenario")].map(element => (
        { element, text: element.textContent.toLowerCase(), state: element.dataset.state }));
      let state = "all";
      const apply = () => {
        const words = search.value.toLowerCase().split(/\\s+/).filter(Boolean);
        let shown = 0;
        for (const scenario of scenarios) {
          const fits = (state === "all" || scenario.state === state)
            && words.every(word => scenario.text.includes(word));
          scenario.element.hidden = !fits;
          if (fits) shown += 1;
        }
        empty.hidden = shown > 0 || scenarios.length === 0;
        count.textContent = shown === scenarios.length ? "" : `${shown} of ${scenarios.length} scenarios`;
        for (const button of buttons)
          button.setAttribute("aria-pressed", String(button.dataset.state === state));
      };
      for (const button of buttons)
        button.addEventListener("click", () => { state = button.dataset.state; apply(); });
      search.addEventListener("input", apply);
      form.addEventListener("submit", event => event.preventDefault());
      document.addEventListener("keydown", event => {
        if (event.key === "/" && document.activeElement !== search) {
          event.preventDefault();
          search.focus();
        }
        if (event.key === "Escape" && document.activeElement === search) {
          search.value = "";
          apply();
        }
      });
      for (const button of document.querySelectorAll(".copy")) {
        if (!navigator.clipboard) break;
        button.hidden = false;
        button.addEventListener("click", async () => {
          await navigator.clipboard.writeText(button.previousElementSibling.textContent);
          button.textContent = "Copied";
          setTimeout(() => { button.textContent = "Copy"; }, 1500);
        });
      }
      // An address with a scenario's name opens it, whatever was searched for before.
      const visit = () => {
        const name = location.hash.slice(1);
        const target = name && document.getElementById(name);
        if (!target || !target.matches(".scenario")) return;
        state = "all";
        search.value = "";
        apply();
        target.open = true;
        target.scrollIntoView();
        target.querySelector("summary").focus({ preventScroll: true });
      };
      addEventListener("hashchange", visit);
      form.hidden = scenarios.length === 0;
      visit();
    })();
    """
}
