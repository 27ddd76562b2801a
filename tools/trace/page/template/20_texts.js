// SPDX-License-Identifier: BSD-3-Clause
// Numbers as people read them, and elements.

const withDigits = (value, digits = 3) => {
  if (value === 0) return "0";
  if (Number.isInteger(value) || Math.abs(value) >= 1000) return Math.round(value).toLocaleString("en");
  return value.toPrecision(digits);
};

function inUnits(value, units, digits = 3) {
  for (const [size, name] of units)
    if (Math.abs(value) >= size * 0.9995) return withDigits(value / size, digits) + " " + name;
  const [size, name] = units[units.length - 1];
  return value === 0 ? "0 " + name : withDigits(value / size, digits) + " " + name;
}

const timeUnits = [[1, "s"], [1e-3, "ms"], [1e-6, "us"], [1e-9, "ns"]];
const secondsText = value => inUnits(value, timeUnits, 4);
const flopsText = value => inUnits(value, [[1e12, "Tflop"], [1e9, "Gflop"], [1e6, "Mflop"], [1e3, "kflop"], [1, "flop"]]);
const rateText = value => inUnits(value, [[1e12, "Tflop/s"], [1e9, "Gflop/s"], [1e6, "Mflop/s"], [1, "flop/s"]]);
const bytesText = value => inUnits(value, [[2 ** 40, "TiB"], [2 ** 30, "GiB"], [2 ** 20, "MiB"], [2 ** 10, "KiB"], [1, "B"]]);
const shareText = value => (100 * value).toFixed(value < 0.0995 ? 2 : 1) + "%";
const countText = value => value.toLocaleString("en");

function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (key === "style") made.style.cssText = value;
    else if (key.startsWith("on")) made.addEventListener(key.slice(2), value);
    else made.setAttribute(key, value);
  }
  for (const child of children) made.append(child);
  return made;
}

const byId = id => document.getElementById(id);
const swatch = color => element("span", {class: "swatch", style: "background:" + color});

// Black or white, whichever is easier to read on the color.
function inkOn(color) {
  const n = parseInt(color.slice(1), 16);
  return 0.299 * (n >> 16) + 0.587 * (n >> 8 & 255) + 0.114 * (n & 255) > 150 ? "#1d2433" : "#ffffff";
}

// A canvas with whole device pixels; the context counts in CSS pixels.
function prepareCanvas(canvas, height) {
  const ratio = window.devicePixelRatio || 1, width = canvas.clientWidth;
  canvas.style.height = height + "px";
  canvas.width = Math.round(width * ratio);
  canvas.height = Math.round(height * ratio);
  const context = canvas.getContext("2d");
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.clearRect(0, 0, width, height);
  context.font = "12px system-ui, 'Segoe UI', 'DejaVu Sans', sans-serif";
  context.textBaseline = "middle";
  return {context, width, height};
}

// Rows of [name, text] at the pointer.
function showTip(event, title, rows) {
  const tip = byId("tip");
  tip.replaceChildren(element("b", {}, title), element("div", {}, ...rows.flatMap(([name, text]) =>
    [element("span", {}, name), element("span", {}, String(text))])));
  tip.hidden = false;
  const x = Math.min(event.clientX + 14, window.innerWidth - tip.offsetWidth - 8);
  const below = event.clientY + 16 + tip.offsetHeight < window.innerHeight;
  tip.style.left = Math.max(4, x) + "px";
  tip.style.top = (below ? event.clientY + 16 : Math.max(4, event.clientY - tip.offsetHeight - 10)) + "px";
}
const hideTip = () => { byId("tip").hidden = true; };
