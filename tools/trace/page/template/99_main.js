// SPDX-License-Identifier: BSD-3-Clause
// Puts the page together. What it shows is also in attributes of the body (data-...), for programs.

function showMessage(text) {
  byId("message").textContent = text;
  byId("message").hidden = false;
  document.body.dataset.error = text;
}
window.addEventListener("error", event => showMessage(event.message));
window.addEventListener("unhandledrejection", event => showMessage(String(event.reason && event.reason.message || event.reason)));

// "#t=0.1,0.2&find=front 12&phase=0&path=0&step=1"
function takeAddress(view) {
  const wanted = new URLSearchParams(location.hash.slice(1));
  const phase = Number(wanted.get("phase"));
  if (wanted.has("phase") && view.model.facts.phases[phase]) { view.phase = phase; view.fitPhase(); }
  if (wanted.has("path")) view.path = wanted.get("path") !== "0";
  const range = (wanted.get("t") || "").split(",").map(Number);
  if (range.length === 2 && range.every(Number.isFinite) && range[0] < range[1]) view.show(range[0], range[1]);
  if (wanted.has("find")) {
    byId("search").value = wanted.get("find");
    view.find(wanted.get("find"));
    for (let i = 0; i < Math.min(100, Number(wanted.get("step")) || 0); ++i) view.step(1);
  }
}

function tellState(view) {
  const data = document.body.dataset, {model} = view;
  data.from = view.from;
  data.to = view.to;
  data.phase = view.phaseFacts.name;
  data.matches = view.matches ? view.matches.length : "";
  data.current = view.current >= 0 ? model.name(view.current) : "";
  byId("matches").textContent = view.matches === null ? "" : view.matches.length === 0 ? "no task has that"
    : countText(view.matches.length) + (view.matches.length === 1 ? " task" : " tasks") + (view.current >= 0 ? ", at " + model.name(view.current) : "");
  const hash = new URLSearchParams({t: view.from.toPrecision(9) + "," + view.to.toPrecision(9), phase: view.phase});
  if (byId("search").value !== "") hash.set("find", byId("search").value);
  try { history.replaceState(null, "", "#" + hash); } catch { /* not from a file: the address stays */ }
}

function listenToPage(model, view, redraw) {
  let waiting = 0;
  byId("search").addEventListener("input", event => {
    clearTimeout(waiting);
    waiting = setTimeout(() => view.find(event.target.value), model.tasks > 100000 ? 500 : 150);
  });
  byId("search").addEventListener("keydown", event => {
    if (event.key !== "Enter") return;
    clearTimeout(waiting);
    if (view.matches === null || view.searched !== event.target.value) view.find(event.target.value);
    view.searched = event.target.value;
    view.step(event.shiftKey ? -1 : 1);
  });
  const clicks = {next: () => view.step(1), previous: () => view.step(-1), closer: () => view.zoom(0.5), wider: () => view.zoom(2),
                  "fit-phase": () => view.fitPhase(), "fit-all": () => view.fitAll()};
  for (const [id, action] of Object.entries(clicks)) byId(id).addEventListener("click", action);
  byId("path").addEventListener("change", event => { view.path = event.target.checked; redraw(); });
  window.addEventListener("resize", redraw);
}

function showPhase(model, view) {
  const {facts} = model;
  byId("phases").replaceChildren(...facts.phases.map((phase, p) => element("button", {
    "aria-pressed": String(p === view.phase),
    onclick: () => { view.phase = p; view.fitPhase(); showPhase(model, view); },
  }, `${phase.name} ${secondsText(phase.end - phase.begin)}`)));
  showSplit(view.phaseFacts, facts.workers.length);
  showBounds(view.phaseFacts);
  showKinds(model, view.phaseFacts);
}

// What the page does not have, so that it stays small.
function leftOutText(facts) {
  const texts = [];
  if (facts.left_out > 0)
    texts.push(`The shortest ${countText(facts.left_out)} of ${countText(facts.tasks)} tasks are drawn in coarse views alone; tasks.csv has all.`);
  const spans = [["states of workers", facts.left_out_states], ["copies", facts.left_out_transfers],
    ["states of memory nodes", facts.left_out_node_states]].filter(([, count]) => count > 0);
  if (spans.length > 0)
    texts.push(`Not drawn are the shortest of these: ${spans.map(([name, count]) => countText(count) + " " + name).join(", ")}; paje.trace has all.`);
  return texts.join(" ");
}

async function showTrace() {
  const started = performance.now();
  const facts = JSON.parse(byId("facts").textContent);
  const model = new TraceModel(facts, await readColumns(facts.columns, byId("columns").textContent));
  byId("columns").textContent = "";
  byId("matrix").textContent = facts.matrix + (facts.simulated ? " (simulated)" : "");
  byId("title-facts").textContent = [...facts.title_facts.map(([name, text]) => name + ": " + text),
    countText(facts.tasks) + " tasks", ...facts.unfinished > 0 ? [countText(facts.unfinished) + " unfinished"] : []].join("  \u00b7  ");
  byId("left-out").textContent = leftOutText(facts);
  const view = new View(model), gantt = new Gantt(byId("gantt"), model, view);
  const curves = new Curves(byId("curves"), model, view, gantt);
  let asked = false;
  const redrawNow = () => { asked = false; gantt.draw(); curves.draw(); };
  const redraw = () => { if (!asked) { asked = true; requestAnimationFrame(redrawNow); } };
  takeAddress(view);
  byId("path").checked = view.path;
  view.onChange(() => { tellState(view); redraw(); });
  showPhase(model, view);
  showLegend(model, view);
  showNotes(model);
  redrawNow();
  listenToGantt(gantt, redraw);
  listenToPage(model, view, redraw);
  curves.listen();
  byId("tree-section").hidden = !facts.tree;
  if (facts.tree) {
    const tree = new Tree(byId("tree"), model);
    tree.draw();
    tree.listen();
    window.addEventListener("resize", () => tree.draw());
  }
  tellState(view);
  document.body.dataset.seconds = ((performance.now() - started) / 1000).toFixed(3);
  document.body.dataset.tasks = model.tasks;
  document.body.dataset.ready = "1";
}
showTrace().catch(error => showMessage(error.message));
