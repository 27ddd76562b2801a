// SPDX-License-Identifier: BSD-3-Clause
// The parts of the page that are text: shares, bounds, kinds.

const shares = [
  ["useful", "useful", "#2c8c5a", "operations at the best rate that their kind of worker reached"],
  ["kernels", "lost to kernels", "#e0a33a", "tasks below that rate, or without operations"],
  ["overhead", "lost to tasks' overhead", "#8793a5", "scheduling, callbacks, submission, and idle until what could run was submitted"],
  ["transfers", "lost to transfers", "#b56fc2", "waiting for data"],
  ["graph", "lost to idling by the graph", "#7fa6d9", "idle while no task could run"],
  ["scheduler", "lost to idling by the scheduler", "#cf4a3c", "idle beside ready tasks"],
];

function showSplit(phase, workers) {
  const stack = element("div", {class: "stack"}), parts = element("div", {class: "parts"});
  const area = (phase.end - phase.begin) * workers;
  for (const [key, name, color, meaning] of shares) {
    const share = phase.split[key];
    stack.append(element("div", {style: `width:${100 * share}%;background:${color}`, title: name + " " + shareText(share)}));
    parts.append(swatch(color), element("span", {}, name + " ", element("span", {class: "quiet"}, meaning)),
                 element("span", {class: "number"}, shareText(share)),
                 element("span", {class: "number quiet"}, secondsText(share * area)));
  }
  byId("split").replaceChildren(stack, parts);
}

function showBounds(phase) {
  const measured = phase.end - phase.begin, rule = element("div", {class: "rule"});
  const longest = Math.max(measured, phase.bounds.both);
  for (const [name, seconds, isMeasured] of [["measured", measured, true], ["both bounds", phase.bounds.both, false],
                                             ["area bound", phase.bounds.area, false],
                                             ["critical path", phase.bounds.critical_path, false]]) {
    rule.append(element("span", {}, name),
                element("div", {class: isMeasured ? "track measured" : "track"}, element("div", {style: `width:${100 * seconds / longest}%`})),
                element("span", {class: "number"}, secondsText(seconds)),
                element("span", {class: "number"}, shareText(seconds / measured)));
  }
  const hint = element("p", {class: "hint"}, `${countText(phase.tasks)} tasks. The longest path of the graph has ${countText(phase.critical_tasks)} of them, which ran ${secondsText(phase.critical_seconds)}.`);
  byId("bounds").replaceChildren(rule, hint);
}

function showKinds(model, phase) {
  const {facts} = model, onPath = new Map();
  for (const t of model.pathOf[facts.phases.indexOf(phase)])
    onPath.set(model.kind(t), (onPath.get(model.kind(t)) || 0) + model.secondsOf(t));
  const head = element("tr", {}, ...["kind", "workers", "tasks", "seconds", "share", "mean", "work", "rate", "model's error", "on critical path"].map(text => element("th", {}, text)));
  const rows = phase.kinds.map(row => {
    const kind = facts.kinds[row.kind];
    return element("tr", {},
      element("td", {}, swatch(kind.color), kind.name), element("td", {}, facts.worker_kinds[row.workers]),
      element("td", {}, countText(row.count)), element("td", {}, secondsText(row.seconds)),
      element("td", {}, element("span", {class: "share", style: `width:${Math.round(90 * row.share)}px`}), shareText(row.share)),
      element("td", {}, secondsText(row.seconds / row.count)),
      element("td", {}, row.flops > 0 ? flopsText(row.flops) : "\u2013"), element("td", {}, row.flops > 0 ? rateText(row.flops_per_second) : "\u2013"),
      element("td", {}, row.model_error === null ? "\u2013" : shareText(row.model_error)),
      element("td", {}, onPath.has(row.kind) ? secondsText(onPath.get(row.kind)) : "\u2013"));
  });
  byId("kinds").replaceChildren(element("thead", {}, head), element("tbody", {}, ...rows));
}

function showLegend(model, view) {
  const seconds = new Float64Array(model.facts.kinds.length);
  for (const phase of model.facts.phases) for (const row of phase.kinds) seconds[row.kind] += row.seconds;
  const bySeconds = [...seconds.keys()].sort((a, b) => seconds[b] - seconds[a]);
  const entries = bySeconds.map(k => [model.facts.kinds[k], k]).map(([kind, k]) => element("button", {
    "aria-pressed": String(view.onlyKind === k), title: "Show these alone",
    onclick: () => { view.onlyKind = view.onlyKind === k ? -1 : k; showLegend(model, view); view.changed(); },
  }, swatch(kind.color), kind.name));
  const states = [["overhead", stateColors[0]], ["waits for data", stateColors[1]]].map(([name, color]) =>
    element("button", {disabled: "", style: "color:var(--quiet);cursor:default"}, swatch(color), name));
  byId("legend").replaceChildren(...entries, ...states);
}

function showNotes(model) {
  const {notes, left_out_notes} = model.facts;
  byId("notes-section").hidden = notes.length === 0;
  byId("notes").replaceChildren(...notes.map(([time, text]) => element("div", {}, secondsText(time) + "  " + text)),
    ...left_out_notes > 0 ? [element("div", {}, `${countText(left_out_notes)} later notes are not on this page; paje.trace has all.`)] : []);
}
