// A line over time in SVG: one series, the value under the pointer, and what it says to a screen reader.

const SVG = "http://www.w3.org/2000/svg";
const HEIGHT = 136;
const TOP = 16;
const BOTTOM = 18;
const LEFT = 38;
const RIGHT = 10;

function element(name, attributes, text) {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) {
    made.setAttribute(key, value);
  }
  if (text !== undefined) {
    made.textContent = text;
  }
  return made;
}

// The next of 1, 2, 5, 10, 20, ... that is not below: where the axis ends.
function niceAbove(value) {
  const power = 10 ** Math.floor(Math.log10(value));
  const step = [1, 2, 5, 10].find((one) => one * power >= value * 0.999999);
  return step * power;
}

function label(value) {
  if (value >= 1e6) return `${+(value / 1e6).toPrecision(3)}M`;
  if (value >= 1e4) return `${+(value / 1e3).toPrecision(3)}k`;
  return String(+value.toPrecision(3));
}

export class Chart {
  // `format` makes the text of a value; points are one a second, `room` of them.
  constructor(figure, room, format) {
    this.figure = figure;
    this.output = figure.querySelector("output");
    this.name = figure.querySelector(".chart-name").textContent;
    this.room = room;
    this.format = format;
    this.points = [];
    this.hover = null; // seconds ago
    this.svg = element("svg", { role: "img", preserveAspectRatio: "none" });
    figure.append(this.svg);
    this.svg.addEventListener("pointermove", (event) => this.point(event));
    this.svg.addEventListener("pointerleave", () => this.point(null));
    new ResizeObserver(() => this.draw()).observe(figure);
  }

  // null: nothing to be said of this second, a gap in the line.
  show(points) {
    this.points = points.slice(-this.room);
    this.draw();
  }

  point(event) {
    this.hover = null;
    if (event) {
      const box = this.svg.getBoundingClientRect();
      const part = (event.clientX - box.left - LEFT) / (box.width - LEFT - RIGHT);
      this.hover = Math.round((1 - Math.min(1, Math.max(0, part))) * (this.room - 1));
    }
    this.draw();
  }

  draw() {
    const width = Math.max(160, this.svg.clientWidth || 300);
    const known = this.points.filter((value) => value !== null);
    const most = Math.max(0, ...known);
    const top = most > 0 ? niceAbove(most) : 1;
    const x = (ago) => LEFT + (1 - ago / (this.room - 1)) * (width - LEFT - RIGHT);
    const y = (value) => TOP + (1 - value / top) * (HEIGHT - TOP - BOTTOM);
    this.svg.setAttribute("viewBox", `0 0 ${width} ${HEIGHT}`);
    this.svg.replaceChildren();
    this.grid(width, top, y, x);
    for (const run of this.runs()) {
      this.line(run, x, y);
    }
    const last = this.points.length ? this.points[this.points.length - 1] : null;
    this.output.textContent = last === null ? "–" : this.format(last);
    const peak = known.length ? `, at most ${this.format(most)}` : "";
    this.svg.setAttribute("aria-label", `${this.name}: ${last === null ? "nothing" : this.format(last)} now${peak} in the last two minutes`);
    this.cross(width, x, y);
  }

  grid(width, top, y, x) {
    for (const part of [0, 0.5, 1]) {
      this.svg.append(element("line", { class: "chart-grid", x1: LEFT, x2: width - RIGHT, y1: y(part * top), y2: y(part * top) }));
      this.svg.append(element("text", { class: "chart-text", x: LEFT - 6, y: y(part * top) + 4, "text-anchor": "end" }, label(part * top)));
    }
    for (const [ago, text, anchor] of [[this.room - 1, "2 min ago", "start"], [0, "now", "end"]]) {
      this.svg.append(element("text", { class: "chart-text", x: x(ago), y: HEIGHT - 4, "text-anchor": anchor }, text));
    }
  }

  // Stretches without gaps: [[seconds ago, value], ...].
  runs() {
    const runs = [];
    let run = null;
    this.points.forEach((value, at) => {
      if (value === null) {
        run = null;
        return;
      }
      if (!run) {
        run = [];
        runs.push(run);
      }
      run.push([this.points.length - 1 - at, value]);
    });
    return runs;
  }

  line(run, x, y) {
    const path = run.map(([ago, value], at) => `${at ? "L" : "M"}${x(ago).toFixed(1)},${y(value).toFixed(1)}`).join("");
    const [first, last] = [run[0], run[run.length - 1]];
    if (run.length > 1) {
      this.svg.append(element("path", { class: "chart-area", d: `${path}L${x(last[0])},${y(0)}L${x(first[0])},${y(0)}Z` }));
      this.svg.append(element("path", { class: "chart-line", d: path }));
    }
    if (run.length === 1 || last[0] === 0) {
      this.svg.append(element("circle", { class: "chart-dot", cx: x(last[0]), cy: y(last[1]), r: 4 }));
    }
  }

  cross(width, x, y) {
    const value = this.hover === null ? undefined : this.points[this.points.length - 1 - this.hover];
    if (value === undefined || value === null) {
      return;
    }
    const at = x(this.hover);
    this.svg.append(element("line", { class: "chart-cross", x1: at, x2: at, y1: TOP, y2: HEIGHT - BOTTOM }));
    this.svg.append(element("circle", { class: "chart-dot", cx: at, cy: y(value), r: 4 }));
    const right = at > width / 2;
    const text = `${this.format(value)}, ${this.hover} s ago`;
    this.svg.append(element("text", { class: "chart-tip", x: at + (right ? -8 : 8), y: 12, "text-anchor": right ? "end" : "start" }, text));
  }
}
