// SPDX-License-Identifier: BSD-3-Clause
// Acts on the page of a trace as a user does: looks at the canvases, turns the wheel, drags, presses keys, searches, points
// at a task, takes one kind and another phase. What came of it is in data-told of the body.
const colors = canvas => {
  const data = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data, seen = new Set();
  for (let i = 0; i < data.length; i += 4) seen.add(data[i] << 16 | data[i + 1] << 8 | data[i + 2]);
  return seen.size;
};
const state = document.body.dataset, gantt = document.getElementById('gantt'), told = {};
const width = () => state.to - state.from;
const send = (type, x, more = {}) => {
  const box = gantt.getBoundingClientRect();
  gantt.dispatchEvent(new (type === 'wheel' ? WheelEvent : PointerEvent)(type, {clientX: box.left + x,
    clientY: box.top + 40, button: 0, pointerId: 1, bubbles: true, cancelable: true, ...more}));
};
gantt.setPointerCapture = () => {};
const wait = ms => new Promise(done => setTimeout(done, ms));
// What is written on the curves, in its order.
const written = [], write = CanvasRenderingContext2D.prototype.fillText;
CanvasRenderingContext2D.prototype.fillText = function (text, ...place) {
  if (this.canvas.id === 'curves') written.push(text);
  return write.call(this, text, ...place);
};
told.colors = colors(gantt);
told.curves = colors(document.getElementById('curves'));
told.tree = colors(document.getElementById('tree'));
told.whole = width();
const drawCurves = () => document.getElementById('curves').dispatchEvent(new PointerEvent('pointerleave'));  // at once
send('wheel', 500, {ctrlKey: true, deltaY: -100});
told.wheel = width();
drawCurves();
send('pointerdown', 400); send('pointermove', 450); send('pointerup', 450);
told.drag = width();
drawCurves();
document.dispatchEvent(new KeyboardEvent('keydown', {key: '0', bubbles: true}));
told.all = width();
drawCurves();
// Of all views: where a piece of time has several numbers of ready tasks, their mean is drawn.
told.most_ready = written.filter((text, i) => i > 0 && written[i - 1] === 'ready tasks').join(',');
const search = document.getElementById('search');
search.value = 'factor_subtree';
search.dispatchEvent(new Event('input'));
await wait(600);
told.matches = state.matches;
search.dispatchEvent(new KeyboardEvent('keydown', {key: 'Enter', bubbles: true}));
told.current = state.current;
const box = gantt.getBoundingClientRect(), tip = document.getElementById('tip');
for (let y = 30; y < box.height; y += 8)
  for (let x = 130; x < box.width && !tip.textContent.startsWith(state.current); x += 2)
    send('pointermove', x, {clientY: box.top + y});
told.tip = tip.textContent;
document.querySelectorAll('#legend button')[0].click();
document.querySelectorAll('nav button')[1].click();
await wait(200);
told.phase = state.phase;
told.rows = document.querySelectorAll('#kinds tbody tr').length;
told.overflow = document.documentElement.scrollWidth - document.documentElement.clientWidth;
state.told = JSON.stringify(told);
