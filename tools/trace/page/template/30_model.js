// SPDX-License-Identifier: BSD-3-Clause
// What the page knows of the trace: arrays by task, names made when they are needed.

class TraceModel {
  constructor(facts, columns) {
    this.facts = facts;
    this.columns = columns;
    this.unit = facts.unit;
    this.begin = columns["task.begin"];
    this.length = columns["task.length"];
    this.nameOf = columns["task.name"];
    this.numbers = [];
    for (let i = 0; i < 10; ++i) this.numbers.push(new Int32Array(columns["task.number" + i].buffer));
    this.priority = new Int32Array(columns["task.priority"].buffer);
    this.colors = facts.kinds.map(kind => kind.color);
    this.pathOf = facts.phases.map(phase => Int32Array.from(phase.critical_path));
    this.rows = this.makeRows();
  }

  get tasks() { return this.begin.length; }
  kind(t) { return this.facts.names[this.nameOf[t]].kind; }
  beginOf(t) { return this.begin[t] * this.unit; }
  endOf(t) { return (this.begin[t] + this.length[t]) * this.unit; }
  secondsOf(t) { return this.length[t] * this.unit; }

  name(t) {
    let i = 0;
    return this.facts.names[this.nameOf[t]].text.replace(/#/g, () => i < 10 ? this.numbers[i++][t] : "#");
  }

  worker(t) {
    const first = this.facts.first_task;
    let low = 0, high = first.length - 1;
    while (high - low > 1) {
      const middle = low + high >> 1;
      if (first[middle] <= t) low = middle; else high = middle;
    }
    return low;
  }

  // The first of [from, to) whose end is behind the time.
  firstBehind(begin, length, from, to, time) {
    const units = time / this.unit;
    let low = from, high = to;
    while (low < high) {
      const middle = low + high >> 1;
      if (begin[middle] + length[middle] <= units) low = middle + 1; else high = middle;
    }
    return low;
  }

  // Workers, links and memory nodes, from top to bottom.
  makeRows() {
    const {facts, columns} = this;
    const rows = facts.workers.map((worker, w) => ({
      type: "worker", label: worker.name, worker: w, first: facts.first_task[w], last: facts.first_task[w + 1],
      spans: this.rangeOf(columns["span.worker"], w),
    }));
    facts.links.forEach(([from, to], l) => rows.push({
      type: "link", label: this.nodeShort(from) + " \u2192 " + this.nodeShort(to), link: l, from, to,
      spans: this.rangeOf(columns["transfer.link"], l),
    }));
    facts.nodes.forEach((name, node) => rows.push({
      type: "node", label: name, node, spans: this.rangeOf(columns["node.node"], node),
    }));
    return rows.filter(row => row.type !== "node" || row.spans[1] > row.spans[0] || facts.nodes.length > 1);
  }

  nodeShort(node) {
    return this.facts.nodes[node].replace("main memory", "main").replace("memory of ", "");
  }

  // Where an ascending array has the number.
  rangeOf(numbers, number) {
    const bound = wanted => {
      let low = 0, high = numbers.length;
      while (low < high) {
        const middle = low + high >> 1;
        if (numbers[middle] < wanted) low = middle + 1; else high = middle;
      }
      return low;
    };
    return [bound(number), bound(number + 1)];
  }

  // Rows for a tip.
  factsOfTask(t) {
    const {columns, facts} = this, flops = columns["task.flops"][t], seconds = this.secondsOf(t);
    const rows = [["worker", facts.workers[this.worker(t)].name], ["begin", secondsText(this.beginOf(t))],
                  ["time", secondsText(seconds)]];
    if (flops > 0) rows.push(["work", flopsText(flops)], ["rate", rateText(flops / seconds)]);
    if (columns["task.bytes"][t] > 0) rows.push(["data", bytesText(columns["task.bytes"][t])]);
    rows.push(["priority", countText(this.priority[t])],
              ["footprint", columns["task.footprint"][t].toString(16).padStart(8, "0")],
              ["submitted before", secondsText(columns["task.since_submitted"][t] * this.unit)],
              ["ready before", secondsText(columns["task.since_ready"][t] * this.unit)],
              ["job", columns["task.job"][t]]);
    return rows;
  }
}
