// SPDX-License-Identifier: BSD-3-Clause
// Ready tasks, running workers, memory and copies over the time of the timeline.

const lineColors = ["#1f5fbf", "#c4472b", "#2c8c5a", "#8b5cb5", "#b3801f", "#3b9fb3", "#b8437f", "#6b7280"];

class Curves {
  constructor(canvas, model, view, gantt) {
    Object.assign(this, {canvas, model, view, gantt, hover: null});
    this.panels = this.makePanels();
    this.panelHeight = 74;
    this.gap = 24;
  }

  // {label, unit text, lines: [{name, color, parts}], stacked, most: maximum of parts in place of their mean, counts: the axis
  // ends at a whole number}
  makePanels() {
    const {facts, columns, colors} = this.model, panels = [];
    panels.push({label: "ready tasks", text: v => withDigits(v), lines: [{name: "ready", color: "#1f5fbf", parts: columns["curve.ready"]}], stacked: true, counts: true});
    facts.worker_kinds.forEach((kind, g) => {
      const lines = facts.kinds.map((task, k) => ({name: task.name, color: colors[k], parts: columns["curve.running." + g + "." + k]}));
      const workers = facts.workers.filter(worker => worker.kind === kind).length;
      panels.push({label: kind + " workers running", text: v => withDigits(v), lines: lines.filter(line => line.parts), stacked: true, top: workers});
    });
    const memory = facts.nodes.map((name, n) => ({name, color: lineColors[n % lineColors.length], parts: columns["curve.memory." + n]}));
    panels.push({label: facts.memory_of_handles ? "memory (main: data of tasks)" : "memory", text: bytesText, lines: memory, most: true});
    const links = facts.links.map(([from, to], l) => ({
      name: this.model.nodeShort(from) + " \u2192 " + this.model.nodeShort(to), color: lineColors[l % lineColors.length],
      parts: columns["curve.link." + from + "." + to]}));
    if (links.length > 0) panels.push({label: "bytes on links", text: v => bytesText(v) + "/s", lines: links});
    return panels.filter(panel => panel.lines.length > 0);
  }

  // What a line has between two times.
  valueOf(panel, line, from, to) {
    const each = this.model.facts.end / line.parts.length;
    const first = Math.max(0, Math.floor(from / each)), last = Math.min(line.parts.length - 1, Math.floor(to / each));
    if (to < 0 || from > this.model.facts.end) return 0;
    let sum = 0, most = 0;
    for (let p = first; p <= last; ++p) {
      sum += line.parts[p];
      most = Math.max(most, line.parts[p]);
    }
    return panel.most ? most : last >= first ? sum / (last - first + 1) : 0;
  }

  draw() {
    const each = this.panelHeight + this.gap;
    const {context, width, height} = prepareCanvas(this.canvas, this.panels.length * each + 4);
    this.plotWidth = Math.max(50, width - gutter - rightMargin);
    this.panels.forEach((panel, i) => this.drawPanel(context, panel, this.gap + i * each));
    if (this.hover === null) return;
    context.strokeStyle = "#1d243380";
    context.beginPath();
    context.moveTo(this.hover, 0);
    context.lineTo(this.hover, height);
    context.stroke();
  }

  drawPanel(context, panel, top) {
    const pixels = Math.floor(this.plotWidth), step = this.view.width / this.plotWidth;
    const values = panel.lines.map(line => {
      const row = new Float64Array(pixels);
      for (let x = 0; x < pixels; ++x) row[x] = this.valueOf(panel, line, this.view.from + x * step, this.view.from + (x + 1) * step);
      return row;
    });
    let most = panel.top || 0;
    if (!panel.top)
      for (let x = 0; x < pixels; ++x) {
        let sum = 0;
        for (const row of values) sum = panel.stacked ? sum + row[x] : Math.max(sum, row[x]);
        most = Math.max(most, sum);
      }
    if (panel.counts) most = Math.ceil(most);
    this.drawFrame(context, panel, top, most);
    if (most <= 0) return;
    const y = value => top + this.panelHeight * (1 - value / most);
    const below = new Float64Array(pixels);
    values.forEach((row, i) => {
      context.fillStyle = context.strokeStyle = panel.lines[i].color;
      context.beginPath();
      if (panel.stacked) this.areaPath(context, row, below, y);
      else this.linePath(context, row, y);
    });
  }

  areaPath(context, row, below, y) {
    context.moveTo(gutter, y(below[0]));
    for (let x = 0; x < row.length; ++x) {
      context.lineTo(gutter + x, y(below[x] + row[x]));
      context.lineTo(gutter + x + 1, y(below[x] + row[x]));
    }
    for (let x = row.length; x-- > 0;) {
      context.lineTo(gutter + x + 1, y(below[x]));
      context.lineTo(gutter + x, y(below[x]));
      below[x] += row[x];
    }
    context.fill();
  }

  linePath(context, row, y) {
    for (let x = 0; x < row.length; ++x) {
      context.lineTo(gutter + x, y(row[x]));
      context.lineTo(gutter + x + 1, y(row[x]));
    }
    context.lineWidth = 1.5;
    context.stroke();
    context.lineWidth = 1;
  }

  drawFrame(context, panel, top, most) {
    context.fillStyle = "#ffffff";
    context.strokeStyle = "#e3e8ef";
    context.strokeRect(gutter + 0.5, top + 0.5, this.plotWidth - 1, this.panelHeight);
    context.fillStyle = "#1d2433";
    context.textAlign = "left";
    context.fillText(panel.label, gutter, top - 10);
    if (!panel.stacked) this.drawNames(context, panel, top);
    context.textAlign = "right";
    context.fillStyle = "#5c6677";
    context.fillText(panel.text(most), gutter - 8, top + 6);
    context.fillText("0", gutter - 8, top + this.panelHeight - 4);
  }

  drawNames(context, panel, top) {
    let x = gutter + context.measureText(panel.label).width + 18;
    for (const line of panel.lines) {
      const width = context.measureText(line.name).width;
      if (x + width + 20 > gutter + this.plotWidth) return;
      context.fillStyle = line.color;
      context.fillRect(x, top - 12, 12, 3);
      context.fillStyle = "#5c6677";
      context.fillText(line.name, x + 17, top - 10);
      x += width + 34;
    }
  }

  listen() {
    this.canvas.addEventListener("pointermove", event => {
      const box = this.canvas.getBoundingClientRect(), x = event.clientX - box.left, y = event.clientY - box.top;
      const panel = this.panels[Math.floor(y / (this.panelHeight + this.gap))];
      if (x < gutter || x > gutter + this.plotWidth || !panel) return this.leave();
      this.hover = x;
      this.draw();
      const step = this.view.width / this.plotWidth, from = this.view.from + (x - gutter) * step;
      const rows = panel.lines.map(line => [line.name, this.valueOf(panel, line, from, from + step)]).filter(row => row[1] > 0 || panel.lines.length < 3);
      showTip(event, panel.label + " at " + secondsText(Math.max(0, from)), rows.map(([name, value]) => [name, panel.text(value)]));
    });
    this.canvas.addEventListener("pointerleave", () => this.leave());
  }
  leave() {
    hideTip();
    this.hover = null;
    this.draw();
  }
}
