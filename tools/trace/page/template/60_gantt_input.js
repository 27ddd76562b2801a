// SPDX-License-Identifier: BSD-3-Clause
// Pointer and keys over the timeline.

function tipOfSpan(event, model, hit) {
  const {row, span, name} = hit, {columns, facts, unit} = model;
  if (span < 0) return hideTip();
  const begin = columns[name + ".begin"][span] * unit, seconds = columns[name + ".length"][span] * unit;
  const rows = [["begin", secondsText(begin)], ["time", secondsText(seconds)]];
  if (name === "transfer") {
    const bytes = columns["transfer.bytes"][span];
    rows.push(["bytes", bytesText(bytes)], ["rate", bytesText(bytes / seconds) + "/s"]);
    return showTip(event, "copy " + row.label, rows);
  }
  const what = name === "node" ? facts.node_states[columns["node.what"][span]]
                               : ["overhead", "waits for data"][columns["span.state"][span]];
  showTip(event, row.label + ": " + what, rows);
}

function listenToGantt(gantt, redraw) {
  const {canvas, model, view} = gantt;
  let drag = null;
  const place = event => {
    const box = canvas.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  };
  canvas.addEventListener("pointerdown", event => {
    if (event.button !== 0) return;
    const [x] = place(event);
    drag = {x, from: view.from, to: view.to, moves: event.shiftKey};
    canvas.setPointerCapture(event.pointerId);
  });
  canvas.addEventListener("pointermove", event => {
    const [x, y] = place(event);
    if (drag !== null) {
      hideTip();
      if (drag.moves) {
        const by = (drag.x - x) / gantt.plotWidth * (drag.to - drag.from);
        return view.show(drag.from + by, drag.to + by, false);
      }
      gantt.selection = [Math.max(gutter, Math.min(drag.x, x)), Math.max(drag.x, x)];
      return redraw();
    }
    const hit = gantt.at(x, y), hovered = hit && hit.task >= 0 ? hit.task : null;
    if (hovered !== gantt.hovered) {
      gantt.hovered = hovered;
      redraw();
    }
    if (hit === null) hideTip();
    else if (hit.task >= 0) showTip(event, model.name(hit.task), model.factsOfTask(hit.task));
    else tipOfSpan(event, model, hit);
  });
  canvas.addEventListener("pointerup", () => {
    const range = gantt.selection;
    gantt.selection = drag = null;
    if (range !== null && range[1] - range[0] > 4) view.show(gantt.time(range[0]), gantt.time(range[1]));
    else redraw();
  });
  canvas.addEventListener("pointerleave", () => {
    hideTip();
    gantt.hovered = null;
    redraw();
  });
  canvas.addEventListener("dblclick", () => view.back());
  canvas.addEventListener("wheel", event => {
    if (event.ctrlKey) {
      event.preventDefault();
      view.zoom(Math.exp(Math.max(-0.5, Math.min(0.5, event.deltaY * 0.004))), gantt.time(place(event)[0]), false);
    } else if (Math.abs(event.deltaX) > Math.abs(event.deltaY)) {
      event.preventDefault();
      view.move(event.deltaX / gantt.plotWidth);
    }
  }, {passive: false});
  document.addEventListener("keydown", event => {
    if (event.target instanceof HTMLInputElement || event.ctrlKey || event.altKey || event.metaKey) return;
    const actions = {"+": () => view.zoom(0.5), "=": () => view.zoom(0.5), "-": () => view.zoom(2), "0": () => view.fitAll(),
                     p: () => view.fitPhase(), ArrowLeft: () => view.move(-0.2), ArrowRight: () => view.move(0.2),
                     n: () => view.step(1), N: () => view.step(-1)};
    if (!(event.key in actions)) return;
    event.preventDefault();
    actions[event.key]();
  });
}
