// SPDX-License-Identifier: BSD-3-Clause
// The top of the assembly tree: when each front was worked on, where, and how long.

// From dark blue over green to yellow; equal steps look equally far.
const timeStops = [[38, 60, 130], [40, 105, 150], [46, 147, 140], [94, 184, 105], [180, 210, 70], [250, 225, 60]];
function timeColor(share) {
  const at = Math.max(0, Math.min(0.9999, share)) * (timeStops.length - 1), i = Math.floor(at), part = at - i;
  return "#" + timeStops[i].map((from, c) => Math.round(from + part * (timeStops[i + 1][c] - from)).toString(16).padStart(2, "0")).join("");
}

const workerColor = (worker, workers) => workers <= lineColors.length ? lineColors[worker]
  : `hsl(${Math.round(worker * 360 / workers)} 55% ${worker % 2 ? 42 : 58}%)`;

class Tree {
  constructor(canvas, model) {
    Object.assign(this, {canvas, model, tree: model.facts.tree, mode: "when"});
    const ran = this.tree.fronts.filter(front => front.begin !== undefined);
    this.begin = Math.min(...ran.map(front => front.begin));
    this.end = Math.max(...ran.map(front => front.end));
    this.most = Math.max(...ran.map(front => front.seconds), 1e-12);
  }

  color(front) {
    if (front.begin === undefined) return "#e3e8ef";
    if (this.mode === "where") return workerColor(front.worker, this.model.facts.workers.length);
    if (this.mode === "seconds") return timeColor(Math.sqrt(front.seconds / this.most));
    return timeColor(((front.begin + front.end) / 2 - this.begin) / (this.end - this.begin));
  }

  draw() {
    const {tree} = this, top = 12;
    const {context, width} = prepareCanvas(this.canvas, tree.height + 2 * top);
    this.scale = Math.min(1, (width - 20) / tree.width);
    this.left = (width - tree.width * this.scale) / 2;
    this.top = top;
    context.strokeStyle = "#b3bccb";
    context.beginPath();
    for (const front of tree.fronts) {
      if (front.parent < 0) continue;
      const parent = tree.fronts[front.parent];
      context.moveTo(this.left + parent.x * this.scale, top + parent.y + parent.side / 2);
      context.lineTo(this.left + front.x * this.scale, top + front.y - front.side / 2);
    }
    context.stroke();
    for (const front of tree.fronts) {
      const [x, y] = [this.left + front.x * this.scale - front.side / 2, top + front.y - front.side / 2];
      context.fillStyle = this.color(front);
      context.fillRect(x, y, front.side, front.side);
      context.strokeStyle = "#1d243366";
      context.strokeRect(x + 0.5, y + 0.5, front.side - 1, front.side - 1);
    }
    this.drawLegend();
  }

  drawLegend() {
    const legend = byId("tree-legend"), {workers} = this.model.facts;
    if (this.mode === "where") {
      const names = workers.slice(0, 12).flatMap((worker, w) => [swatch(workerColor(w, workers.length)), worker.name]);
      return legend.replaceChildren(...names, workers.length > 12 ? "\u2026" : "");
    }
    const stops = timeStops.map(stop => `rgb(${stop})`).join(",");
    const ends = this.mode === "when" ? [secondsText(this.begin), secondsText(this.end)] : ["0 s", secondsText(this.most)];
    legend.replaceChildren(ends[0], element("span", {style: `width:120px;height:10px;border-radius:3px;background:linear-gradient(90deg,${stops})`}), ends[1]);
  }

  at(x, y) {
    return this.tree.fronts.find(front => Math.abs(x - this.left - front.x * this.scale) <= Math.max(front.side / 2, 3) &&
                                          Math.abs(y - this.top - front.y) <= Math.max(front.side / 2, 3));
  }

  listen() {
    const {model} = this;
    for (const radio of document.querySelectorAll("input[name=tree]"))
      radio.addEventListener("change", () => { this.mode = radio.value; this.draw(); });
    this.canvas.addEventListener("pointermove", event => {
      const box = this.canvas.getBoundingClientRect(), front = this.at(event.clientX - box.left, event.clientY - box.top);
      if (!front) return hideTip();
      const rows = [["order", countText(front.order)], ["pivots", countText(front.pivots)], ["work", flopsText(front.flops)]];
      if (front.begin !== undefined)
        rows.push(["first task begins", secondsText(front.begin)], ["last task ends", secondsText(front.end)],
                  ["seconds of its tasks", secondsText(front.seconds)], ["most of it on", model.facts.workers[front.worker].name],
                  ["workers", front.workers]);
      if (front.hidden > 0) rows.push(["fronts below, not drawn", countText(front.hidden)]);
      showTip(event, "front " + front.front, rows);
    });
    this.canvas.addEventListener("pointerleave", hideTip);
    const {tree} = this;
    byId("tree-hint").textContent = `A square is a front, its side the order. ${tree.fronts.length < tree.all_fronts
      ? `The ${countText(tree.fronts.length)} costliest of ${countText(tree.all_fronts)} fronts, ${shareText(tree.flops_share)} of the operations.`
      : `All ${countText(tree.all_fronts)} fronts.`} Times are of the phase "${tree.phase}"; a task of several fronts counts at each.`;
  }
}
