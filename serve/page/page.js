// The page: asks the server what there is, once a second how it goes, and draws it.

import { Chart } from "./chart.js";
import { TryForm } from "./form.js";

const SECONDS = 120; // of the charts
const INDEX_EVERY = 5; // seconds

const byId = (id) => document.getElementById(id);

let key = ""; // nowhere but here: gone when the page is
let tick = 0;
let entries = []; // of the repository
let statistics = new Map(); // "model/version" to its statistics
let before = null; // {time, statistics}: the last second's
const metadata = new Map(); // "model/version" to inputs and outputs
const history = new Map(); // scope ("" or a model) to {rate, latency, batch}

function send(path, options = {}) {
  const headers = { ...options.headers, ...(key ? { Authorization: `Bearer ${key}` } : {}) };
  return fetch(path, { cache: "no-store", ...options, headers });
}

async function ask(path, options) {
  const response = await send(path, options);
  if (!response.ok) {
    const error = new Error((await response.json().catch(() => ({}))).error ?? response.statusText);
    error.status = response.status;
    throw error;
  }
  return response.json();
}

function say(kind, text) {
  if (byId("state").className !== kind || byId("state-text").textContent !== text) {
    byId("state").className = kind;
    byId("state-text").textContent = text;
  }
}

// ---- Models ---------------------------------------------------------------------------------------------------------

const nameOf = (entry) => `${entry.name}/${entry.version}`;

function cell(name, text, className = "") {
  const made = document.createElement(name);
  made.textContent = text;
  made.className = className;
  return made;
}

function portsCell(ports) {
  const list = document.createElement("ul");
  for (const port of ports ?? []) {
    const line = document.createElement("li");
    line.append(`${port.name} `, cell("code", `${port.datatype}[${port.shape.map((size) => (size < 0 ? "?" : size)).join(",")}]`));
    list.append(line);
  }
  const made = document.createElement("td");
  made.append(list);
  return made;
}

function bytesText(bytes) {
  const units = ["B", "KiB", "MiB", "GiB", "TiB"];
  let unit = 0;
  while (bytes >= 1024 && unit < units.length - 1) {
    bytes /= 1024;
    unit++;
  }
  return `${unit ? bytes.toFixed(1) : bytes} ${units[unit]}`;
}

function tryCell(entry) {
  const made = document.createElement("td");
  const ports = metadata.get(nameOf(entry));
  if (entry.state === "READY" && ports) {
    const button = cell("button", "Try");
    button.type = "button";
    button.setAttribute("aria-label", `Try ${entry.name} version ${entry.version}`);
    button.addEventListener("click", () => form.open(entry.name, entry.version, ports));
    made.append(button);
  }
  return made;
}

function row(entry) {
  const made = document.createElement("tr");
  const name = cell("th", entry.name);
  name.scope = "row";
  const state = cell("td", entry.state, `state-${entry.state.toLowerCase()}`);
  if (entry.reason) {
    state.append(cell("div", entry.reason, "reason quiet"));
  }
  const ports = metadata.get(nameOf(entry));
  made.dataset.name = nameOf(entry);
  made.append(name, cell("td", entry.version), state, portsCell(ports?.inputs), portsCell(ports?.outputs));
  made.append(cell("td", "", "number"), cell("td", "", "number"), cell("td", "", "number"), tryCell(entry));
  return made;
}

function fillNumbers() {
  for (const made of byId("models").tBodies[0].rows) {
    const one = statistics.get(made.dataset.name);
    const texts = one
      ? [one.inference_stats.success.count.toLocaleString("en"), one.inference_stats.fail.count.toLocaleString("en"), bytesText(one.memory_usage?.[0]?.byte_size ?? 0)]
      : ["", "", ""];
    texts.forEach((text, at) => {
      made.cells[5 + at].textContent = text;
    });
  }
}

let drawn = "";

// Only when something changed: a button that is about to be pressed stays.
function drawModels() {
  const now = JSON.stringify([entries, [...metadata.keys()]]);
  if (now === drawn) {
    return;
  }
  drawn = now;
  byId("models").tBodies[0].replaceChildren(...entries.map(row));
  byId("no-models").hidden = entries.length > 0;
  const scope = byId("scope");
  const chosen = scope.value;
  const names = [...new Set(entries.map((entry) => entry.name))];
  scope.replaceChildren(new Option("all models", ""), ...names.map((name) => new Option(name, name)));
  scope.value = names.includes(chosen) ? chosen : "";
}

async function readIndex() {
  entries = await ask("/v2/repository/index", { method: "POST" });
  const served = new Set(entries.filter((entry) => entry.state === "READY").map(nameOf));
  for (const name of metadata.keys()) {
    if (!served.has(name)) {
      metadata.delete(name); // it may come back with another signature
    }
  }
  for (const entry of entries) {
    if (served.has(nameOf(entry)) && !metadata.has(nameOf(entry))) {
      const found = await ask(`/v2/models/${encodeURIComponent(entry.name)}/versions/${entry.version}`).catch(() => null);
      if (found) {
        metadata.set(nameOf(entry), found);
      }
    }
  }
  drawModels();
}

// ---- Charts ---------------------------------------------------------------------------------------------------------

const number = (value) => (value >= 100 ? Math.round(value).toLocaleString("en") : String(+value.toPrecision(3)));

const charts = {
  rate: new Chart(byId("chart-rate"), SECONDS, number),
  latency: new Chart(byId("chart-latency"), SECONDS, (value) => `${number(value)} ms`),
  batch: new Chart(byId("chart-batch"), SECONDS, (value) => `${number(value)} ${value === 1 ? "row" : "rows"}`),
};

function totals(from, scope) {
  const total = { requests: 0, ns: 0, rows: 0, batches: 0 };
  for (const one of from.values()) {
    if (!scope || one.name === scope) {
      total.requests += one.inference_stats.success.count;
      total.ns += one.inference_stats.success.ns;
      total.rows += one.inference_count;
      total.batches += one.execution_count;
    }
  }
  return total;
}

function historyOf(scope) {
  if (!history.has(scope)) {
    history.set(scope, { rate: [], latency: [], batch: [] });
  }
  return history.get(scope);
}

// A version that was replaced counts from zero: of that second nothing is said.
function addPoint(scope, seconds, then, now) {
  const requests = now.requests - then.requests;
  const batches = now.batches - then.batches;
  const kept = historyOf(scope);
  kept.rate.push(requests >= 0 ? requests / seconds : null);
  kept.latency.push(requests > 0 && now.ns >= then.ns ? (now.ns - then.ns) / requests / 1e6 : null);
  kept.batch.push(batches > 0 && now.rows >= then.rows ? (now.rows - then.rows) / batches : null);
  for (const points of Object.values(kept)) {
    points.splice(0, Math.max(0, points.length - SECONDS));
  }
}

function drawCharts() {
  const kept = historyOf(byId("scope").value);
  for (const [name, chart] of Object.entries(charts)) {
    chart.show(kept[name]);
  }
}

async function readStatistics() {
  const answer = await ask("/v2/models/stats");
  const time = performance.now();
  statistics = new Map(answer.model_stats.map((one) => [nameOf(one), one]));
  if (before) {
    const seconds = (time - before.time) / 1000;
    const names = new Set(answer.model_stats.map((one) => one.name));
    for (const scope of ["", ...names]) {
      addPoint(scope, seconds, totals(before.statistics, scope), totals(statistics, scope));
    }
    for (const scope of history.keys()) {
      if (scope && !names.has(scope)) {
        history.delete(scope);
      }
    }
  }
  before = { time, statistics };
  fillNumbers();
  drawCharts();
}

// ---- Every second ---------------------------------------------------------------------------------------------------

// [class of the state, what it says]
async function readReady() {
  const response = await send("/v2/health/ready");
  return response.ok ? ["good", "ready"] : ["wait", (await response.json().catch(() => ({}))).error ?? "not ready"];
}

async function look() {
  try {
    const state = await readReady();
    if (!byId("server-version").textContent) {
      const server = await ask("/v2");
      byId("server-version").textContent = server.version;
    }
    if (tick % INDEX_EVERY === 0 || !entries.length) {
      await readIndex();
    }
    await readStatistics();
    tick++;
    say(...state);
  } catch (error) {
    before = null;
    if (error.status === 401 || error.status === 403) {
      say("bad", error.message);
    } else if (error.status) {
      say("wait", error.message);
    } else {
      say("bad", "the server does not answer");
    }
  }
}

let looking = false;

async function everySecond() {
  if (!looking && !document.hidden) {
    looking = true;
    await look();
    looking = false;
  }
}

const form = new TryForm(send);

byId("key-form").addEventListener("submit", (event) => {
  event.preventDefault();
  key = byId("key").value.trim();
  tick = 0;
  everySecond();
});
byId("scope").addEventListener("change", drawCharts);
everySecond();
setInterval(everySecond, 1000);
