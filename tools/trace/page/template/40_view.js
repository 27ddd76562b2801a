// SPDX-License-Identifier: BSD-3-Clause
// What is looked at: a range of time, a phase, what is searched for. Part of it is in the address behind #, so that a
// view can be kept as a link.

class View {
  constructor(model) {
    this.model = model;
    this.end = model.facts.end || 1;
    this.phase = model.facts.main_phase;
    this.from = 0;
    this.to = this.end;
    this.history = [];
    this.path = true;
    this.onlyKind = -1;
    this.matches = null;  // ascending places of tasks; null: nothing is searched for
    this.matched = null;  // 1 for each match
    this.current = -1;
    this.listeners = [];
    this.fitPhase();
    this.history = [];
  }

  onChange(listener) { this.listeners.push(listener); }
  changed() { for (const listener of this.listeners) listener(); }
  get phaseFacts() { return this.model.facts.phases[this.phase]; }
  get width() { return this.to - this.from; }

  show(from, to, remember = true) {
    const least = Math.max(this.model.unit * 40, this.end * 1e-9);
    if (to - from < least) {
      const middle = (from + to) / 2;
      from = middle - least / 2;
      to = middle + least / 2;
    }
    const width = Math.min(to - from, this.end * 1.02);
    from = Math.max(-0.01 * this.end, Math.min(from, 1.01 * this.end - width));
    if (remember) this.history.push([this.from, this.to]);
    if (this.history.length > 100) this.history.shift();
    this.from = from;
    this.to = from + width;
    this.changed();
  }

  zoom(factor, center = (this.from + this.to) / 2, remember = true) {
    this.show(center - (center - this.from) * factor, center + (this.to - center) * factor, remember);
  }
  move(share) { this.show(this.from + share * this.width, this.to + share * this.width, false); }
  back() { if (this.history.length > 0) { const [from, to] = this.history.pop(); this.show(from, to, false); } }
  fitAll() { this.show(-0.005 * this.end, 1.005 * this.end); }
  fitPhase() {
    const {begin, end} = this.phaseFacts;
    this.show(begin - 0.01 * (end - begin), end + 0.01 * (end - begin));
  }

  // Names that have the text, and "job 12".
  find(text) {
    const wanted = text.trim().toLowerCase();
    this.matches = this.matched = null;
    this.current = -1;
    if (wanted === "") return this.changed();
    const {model} = this, job = /^(?:job |#)(\d+)$/.exec(wanted), found = [];
    const jobs = model.columns["task.job"];
    // A number ends where the digits end: "front 1" is not "front 12".
    const bounded = /\d$/.test(wanted);
    for (let t = 0; t < model.tasks; ++t) {
      if (job !== null ? jobs[t] === Number(job[1]) : View.nameHas(model.name(t), wanted, bounded)) found.push(t);
    }
    this.matches = found;
    this.matched = new Uint8Array(model.tasks);
    for (const t of found) this.matched[t] = 1;
    this.changed();
  }
  static nameHas(name, wanted, bounded) {
    for (let at = name.indexOf(wanted); at >= 0; at = name.indexOf(wanted, at + 1)) {
      const next = name.charCodeAt(at + wanted.length);
      if (!bounded || !(next >= 48 && next <= 57)) return true;
    }
    return false;
  }

  // Goes to the match `by` places further in time.
  step(by) {
    if (!this.matches || this.matches.length === 0) return;
    const {model} = this;
    this.inTime ??= new WeakMap();
    let ordered = this.inTime.get(this.matches);
    if (!ordered) {
      ordered = Int32Array.from(this.matches).sort((a, b) => model.begin[a] - model.begin[b]);
      this.inTime.set(this.matches, ordered);
    }
    const place = this.current < 0 ? (by > 0 ? -1 : 0) : ordered.indexOf(this.current);
    this.current = ordered[(place + by + ordered.length) % ordered.length];
    const begin = model.beginOf(this.current), seconds = model.secondsOf(this.current);
    const fits = seconds >= this.width / 12 && seconds <= this.width;
    const width = fits ? this.width : Math.max(seconds * 10, model.unit * 1000);
    this.show(begin + seconds / 2 - width / 2, begin + seconds / 2 + width / 2);
  }
}
