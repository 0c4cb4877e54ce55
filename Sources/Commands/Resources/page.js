(() => {
  const form = document.querySelector(".controls");
  const search = document.getElementById("search");
  const count = document.getElementById("count");
  const empty = document.getElementById("empty");
  const buttons = [...form.querySelectorAll("button")];
  const scenarios = [...document.querySelectorAll(".scenario, .finding")].map(element => (
    { element, text: element.textContent.toLowerCase(), state: element.dataset.state }));
  let state = "all";
  const apply = () => {
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    let shown = 0;
    for (const scenario of scenarios) {
      const fits = (state === "all" || scenario.state === state)
        && words.every(word => scenario.text.includes(word));
      scenario.element.hidden = !fits;
      if (fits) shown += 1;
    }
    empty.hidden = shown > 0 || scenarios.length === 0;
    count.textContent = shown === scenarios.length ? "" : `${shown} of ${scenarios.length} ${count.dataset.noun}`;
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
