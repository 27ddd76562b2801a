// SPDX-License-Identifier: BSD-3-Clause
// The tasks of each worker, the copies of each link and the states of each memory node over time.

const gutter = 128, axisHeight = 26, rightMargin = 12;
const stateColors = ["#b8c0cc", "#d9a5e0"];  // overhead, transfer
const linkColor = "#7a5ea8", nodeColor = "#c9963c", pathColor = "#111827";

// About `wanted` round numbers in a range.
function roundTicks(from, to, wanted) {
  const raw = (to - from) / wanted, power = 10 ** Math.floor(Math.log10(raw));
  const step = [1, 2, 5, 10].map(f => f * power).find(s => s >= raw);
  const ticks = [];
  for (let i = Math.ceil(from / step); i * step <= to; ++i) ticks.push(i * step);
  return {ticks, step};
}

// Times on an axis have one unit, and as many digits as their distance needs.
function tickText(time, step) {
  const [size, name] = timeUnits.find(([s]) => step >= s * 0.999 || s === 1e-9) || timeUnits[0];
  const unit = step >= 0.1 ? timeUnits[0] : [size, name];
  const digits = Math.max(0, Math.ceil(-Math.log10(step / unit[0]) - 1e-9));
  return (Math.abs(time) < step / 2 ? 0 : time / unit[0]).toLocaleString("en", {minimumFractionDigits: digits, maximumFractionDigits: digits}) + " " + unit[1];
}

class Gantt {
  constructor(canvas, model, view) {
    Object.assign(this, {canvas, model, view, hovered: null, selection: null});
    const rows = model.rows.length;
    this.rowHeight = rows <= 6 ? 34 : rows <= 24 ? 24 : rows <= 64 ? 16 : 10;
    this.groups();
  }

  // The tops of rows, with a gap between workers, links and nodes.
  groups() {
    let y = axisHeight, before = null;
    for (const row of this.model.rows) {
      if (before !== null && before !== row.type) y += 8;
      row.top = y;
      row.height = row.type === "worker" ? this.rowHeight : Math.min(this.rowHeight, 14);
      y += row.height + (this.rowHeight >= 16 ? 3 : 1);
      before = row.type;
    }
    this.height = y + 4;
  }

  x(time) { return gutter + (time - this.view.from) / this.view.width * this.plotWidth; }
  time(x) { return this.view.from + (x - gutter) / this.plotWidth * this.view.width; }

  draw() {
    const {context, width, height} = prepareCanvas(this.canvas, this.height);
    this.context = context;
    this.plotWidth = Math.max(50, width - gutter - rightMargin);
    this.drawAxis(context, height);
    context.save();
    context.beginPath();
    context.rect(gutter, 0, this.plotWidth, height);
    context.clip();
    for (const row of this.model.rows) this.drawRow(context, row);
    if (this.view.path) this.drawPath(context);
    this.drawMarks(context, height);
    context.restore();
    this.drawLabels(context);
  }

  drawAxis(context, height) {
    const {phases} = this.model.facts, phase = phases[this.view.phase];
    context.fillStyle = "#eaf1fb";
    const left = Math.max(gutter, this.x(phase.begin)), right = Math.min(gutter + this.plotWidth, this.x(phase.end));
    if (right > left) context.fillRect(left, 0, right - left, height);
    const {ticks, step} = roundTicks(this.view.from, this.view.to, Math.max(2, this.plotWidth / 110));
    context.textAlign = "center";
    for (const tick of ticks) {
      const x = Math.round(this.x(tick)) + 0.5;
      context.strokeStyle = "#dfe4ec";
      context.beginPath();
      context.moveTo(x, axisHeight - 6);
      context.lineTo(x, height);
      context.stroke();
      context.fillStyle = "#5c6677";
      const text = tickText(tick, step), half = context.measureText(text).width / 2;
      if (x - half > gutter - 4 && x + half < gutter + this.plotWidth + rightMargin) context.fillText(text, x, 10);
    }
  }

  drawLabels(context) {
    context.textAlign = "right";
    const size = Math.min(12, Math.max(9, this.rowHeight - 1));
    context.font = size + "px system-ui, 'Segoe UI', 'DejaVu Sans', sans-serif";
    context.fillStyle = "#1d2433";
    for (const row of this.model.rows)
      context.fillText(fitText(context, row.label, gutter - 14), gutter - 8, row.top + row.height / 2);
  }

  drawRow(context, row) {
    context.fillStyle = "#ffffff";
    context.fillRect(gutter, row.top, this.plotWidth, row.height);
    if (row.type === "worker") {
      this.drawSpans(context, row, "span", i => stateColors[this.model.columns["span.state"][i]]);
      if (this.usesLevel(row)) this.drawLevel(context, row); else this.drawTasks(context, row);
    } else {
      this.drawSpans(context, row, row.type === "link" ? "transfer" : "node", () => row.type === "link" ? linkColor : nodeColor);
    }
    context.strokeStyle = "#e3e8ef";
    context.strokeRect(gutter + 0.5, row.top + 0.5, this.plotWidth - 1, row.height - 1);
  }

  // Intervals of a row; those below a pixel are joined with what is beside them.
  drawSpans(context, row, name, colorOf) {
    const {model, view} = this, begin = model.columns[name + ".begin"], length = model.columns[name + ".length"];
    const until = view.to / model.unit;
    let drawn = -1;
    for (let i = model.firstBehind(begin, length, row.spans[0], row.spans[1], view.from); i < row.spans[1] && begin[i] < until; ++i) {
      const left = this.x(begin[i] * model.unit), right = this.x((begin[i] + length[i]) * model.unit);
      if (right - drawn < 0.4) continue;
      context.fillStyle = colorOf(i);
      context.fillRect(Math.max(left, drawn), row.top + 1, Math.max(right - Math.max(left, drawn), 0.4), row.height - 2);
      drawn = right;
    }
  }

  visibleTasks(row) {
    const {model, view} = this;
    const first = model.firstBehind(model.begin, model.length, row.first, row.last, view.from);
    let low = first, high = row.last;
    const until = view.to / model.unit;
    while (low < high) {
      const middle = low + high >> 1;
      if (model.begin[middle] < until) low = middle + 1; else high = middle;
    }
    return [first, low];
  }

  // A level of detail: where a row has many tasks a pixel, and nothing is searched for.
  usesLevel(row) {
    const {facts} = this.model, {view} = this;
    if (facts.levels.length === 0 || view.matched || view.onlyKind >= 0) return false;
    const [first, last] = this.visibleTasks(row);
    if (last - first < 4 * this.plotWidth && facts.left_out === 0) return false;
    const wanted = this.plotWidth * facts.end / view.width;
    this.level = facts.levels.find(parts => parts >= wanted) || facts.levels[facts.levels.length - 1];
    return this.level >= wanted * 0.5;
  }

  drawLevel(context, row) {
    const {columns, facts, colors} = this.model, parts = this.level, each = facts.end / parts;
    const kinds = columns["level." + parts + ".kind"], busy = columns["level." + parts + ".busy"];
    const first = Math.max(0, Math.floor(this.view.from / each)), last = Math.min(parts, Math.ceil(this.view.to / each));
    for (let p = first; p < last; ++p) {
      const place = row.worker * parts + p;
      if (busy[place] === 0) continue;
      context.globalAlpha = busy[place] / 255;
      context.fillStyle = colors[kinds[place]];
      context.fillRect(this.x(p * each), row.top + 1, Math.max(this.x((p + 1) * each) - this.x(p * each), 0.5), row.height - 2);
    }
    context.globalAlpha = 1;
  }

  isQuiet(t) {
    const {view} = this;
    return view.matched !== null && view.matched[t] === 0 || view.onlyKind >= 0 && this.model.kind(t) !== view.onlyKind;
  }

  drawTasks(context, row) {
    const {model} = this, [first, last] = this.visibleTasks(row);
    let pixel = -1, covered = 0, color = "", quiet = true;
    const flush = () => {
      if (covered > 0) {
        context.globalAlpha = quiet ? 0.18 : Math.max(0.25, Math.min(1, covered));
        context.fillStyle = color;
        context.fillRect(pixel, row.top + 1, 1, row.height - 2);
        context.globalAlpha = 1;
      }
      covered = 0;
      quiet = true;
    };
    for (let t = first; t < last; ++t) {
      const left = this.x(model.beginOf(t)), right = this.x(model.endOf(t)), isQuiet = this.isQuiet(t);
      if (right - left < 1.2) {
        if (Math.floor(left) !== pixel) flush();
        if (covered === 0 || quiet && !isQuiet) color = model.colors[model.kind(t)];
        pixel = Math.floor(left);
        covered += right - left;
        quiet = quiet && isQuiet;
        continue;
      }
      flush();
      this.drawTask(context, row, t, left, right, isQuiet);
    }
    flush();
  }

  drawTask(context, row, t, left, right, isQuiet) {
    const color = this.model.colors[this.model.kind(t)];
    context.globalAlpha = isQuiet ? 0.18 : 1;
    context.fillStyle = color;
    const gap = right - left > 4 ? 0.5 : 0;
    context.fillRect(left, row.top + 1, right - left - gap, row.height - 2);
    const from = Math.max(left, gutter), to = Math.min(right, gutter + this.plotWidth);
    if (to - from > 46 && row.height >= 16) {
      context.fillStyle = inkOn(color);
      context.textAlign = "left";
      context.fillText(fitText(context, this.model.name(t), to - from - 8), from + 4, row.top + row.height / 2);
    }
    context.globalAlpha = 1;
  }

  // The tasks of the path framed, and lines from the end of each to the begin of the next.
  drawPath(context) {
    const {model, view} = this, path = model.pathOf[view.phase];
    context.strokeStyle = pathColor;
    context.lineWidth = 1.5;
    context.beginPath();
    let x = null, y = null;
    for (const t of path) {
      const row = model.rows[model.worker(t)], left = this.x(model.beginOf(t)), right = this.x(model.endOf(t));
      const middle = row.top + row.height / 2;
      if (x !== null && (left > gutter - 50 && x < gutter + this.plotWidth + 50)) {
        context.moveTo(x, y);
        context.lineTo(left, middle);
      }
      if (right > gutter && left < gutter + this.plotWidth && right - left >= 2)
        context.rect(left + 0.75, row.top + 0.75, right - left - 1.5, row.height - 1.5);
      else if (right > gutter && left < gutter + this.plotWidth) {
        context.moveTo(left, row.top + 1);
        context.lineTo(left, row.top + row.height - 1);
      }
      x = right;
      y = middle;
    }
    context.stroke();
    context.lineWidth = 1;
  }

  drawMarks(context, height) {
    const {model, view} = this;
    for (const [t, color] of [[view.current, "#d4006a"], [this.hovered, "#1f5fbf"]]) {
      if (t === null || t < 0) continue;
      const row = model.rows[model.worker(t)], left = this.x(model.beginOf(t)), right = this.x(model.endOf(t));
      context.strokeStyle = color;
      context.lineWidth = 2;
      context.strokeRect(left - 1, row.top, Math.max(right - left, 1) + 2, row.height);
      context.lineWidth = 1;
    }
    if (this.selection === null) return;
    context.fillStyle = "#1f5fbf26";
    context.fillRect(this.selection[0], 0, this.selection[1] - this.selection[0], height);
  }

  // What is at a place: {row, task} or {row, span}.
  at(x, y) {
    const {model} = this, time = this.time(x);
    const row = model.rows.find(r => y >= r.top && y < r.top + r.height);
    if (!row || x < gutter) return null;
    const near = 3 / this.plotWidth * this.view.width;
    const hit = (begin, length, from, to) => {
      const i = model.firstBehind(begin, length, from, to, time - near);
      return i < to && begin[i] * model.unit <= time + near ? i : -1;
    };
    if (row.type === "worker") {
      const task = hit(model.begin, model.length, row.first, row.last);
      if (task >= 0) return {row, task};
    }
    const name = {worker: "span", link: "transfer", node: "node"}[row.type];
    const span = hit(model.columns[name + ".begin"], model.columns[name + ".length"], row.spans[0], row.spans[1]);
    return {row, task: -1, span, name};
  }
}

// The text, or its beginning and an ellipsis.
function fitText(context, text, width) {
  if (context.measureText(text).width <= width) return text;
  let low = 0, high = text.length;
  while (high - low > 1) {
    const middle = low + high >> 1;
    if (context.measureText(text.slice(0, middle) + "\u2026").width <= width) low = middle; else high = middle;
  }
  return low > 0 ? text.slice(0, low) + "\u2026" : "";
}
