// The form that tries a model: makes its inputs, sends them, shows what came and how long it took.

import { makeData, makeRequest, readAnswer, readData, readShape } from "./tensors.js";

const MOST_SHOWN = 1000; // elements of an output

const byId = (id) => document.getElementById(id);

function make(name, properties, ...children) {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...children);
  return made;
}

// ? where any size will do.
function shapeText(shape) {
  return `[${shape.map((size) => (size < 0 ? "?" : size)).join(", ")}]`;
}

// One input: its shape, how it is filled, and room for data of one's own.
class InputField {
  constructor(port, at) {
    this.port = port;
    this.shape = make("input", { id: `try-shape-${at}`, value: port.shape.map((size) => (size < 0 ? 1 : size)).join(", "), spellcheck: false });
    this.fill = make("select", { id: `try-fill-${at}` });
    for (const fill of ["zeros", "ones", "random", "my own"]) {
      this.fill.append(make("option", { value: fill, textContent: fill }));
    }
    this.fill.value = "random";
    this.data = make("textarea", { id: `try-data-${at}`, hidden: true, spellcheck: false, placeholder: "1, 2.5, 3 or [[1, 2.5], [3, 4]]" });
    this.data.setAttribute("aria-label", `Data of ${port.name}`);
    this.fill.addEventListener("change", () => {
      this.data.hidden = this.fill.value !== "my own";
    });
    const shape = make("label", { htmlFor: this.shape.id, textContent: "Shape" });
    const fill = make("label", { htmlFor: this.fill.id, textContent: "filled with" });
    const kind = make("span", { className: "quiet", textContent: `${port.datatype} ${shapeText(port.shape)}` });
    this.box = make("fieldset", {}, make("legend", { textContent: port.name }), make("div", { className: "bar" }, shape, this.shape, fill, this.fill, kind), this.data);
  }

  read() {
    this.data.removeAttribute("aria-invalid");
    try {
      const shape = readShape(this.shape.value, this.port.shape);
      const own = this.fill.value === "my own";
      const data = own ? readData(this.data.value, shape) : makeData(this.port.datatype, shape, this.fill.value);
      return { name: this.port.name, datatype: this.port.datatype, shape, data };
    } catch (error) {
      this.data.setAttribute("aria-invalid", "true");
      throw new Error(`${this.port.name}: ${error.message}`);
    }
  }
}

function milliseconds(value) {
  return `${value < 10 ? value.toFixed(2) : value.toFixed(1)} ms`;
}

function showOutput(output) {
  const shown = output.data.slice(0, MOST_SHOWN).map((value) => (typeof value === "number" ? +value.toPrecision(7) : value)).join(", ");
  const more = output.data.length > MOST_SHOWN ? `, … and ${output.data.length - MOST_SHOWN} more` : "";
  const kind = make("span", { className: "quiet", textContent: ` ${output.datatype} ${shapeText(output.shape)}` });
  return [make("h3", {}, output.name, kind), make("pre", { tabIndex: 0, textContent: shown + more })];
}

export class TryForm {
  // `send(path, options)` is fetch() with the key.
  constructor(send) {
    this.send = send;
    this.stopped = false;
    byId("try-form").addEventListener("submit", (event) => {
      event.preventDefault();
      this.run();
    });
    byId("try-stop").addEventListener("click", () => {
      this.stopped = true;
    });
  }

  open(model, version, metadata) {
    this.path = `/v2/models/${encodeURIComponent(model)}/versions/${version}/infer`;
    this.outputs = metadata.outputs;
    this.fields = metadata.inputs.map((port, at) => new InputField(port, at));
    byId("try-name").textContent = `${model}, version ${version}`;
    byId("try-inputs").replaceChildren(...this.fields.map((field) => field.box));
    byId("try-outputs").replaceChildren();
    this.say("");
    byId("try").hidden = false;
    byId("try").scrollIntoView({ block: "nearest" });
    byId("try-send").focus();
  }

  say(text, bad = false) {
    byId("try-result").textContent = text;
    byId("try-result").classList.toggle("bad", bad);
  }

  async once() {
    const { headers, body } = makeRequest(this.fields.map((field) => field.read()), this.outputs);
    const begin = performance.now();
    const response = await this.send(this.path, { method: "POST", headers, body });
    if (!response.ok) {
      const text = await response.text();
      let message = text;
      try {
        message = JSON.parse(text).error ?? text;
      } catch {
        // Not JSON: from something between us and the server.
      }
      throw new Error(`${response.status}: ${message}`);
    }
    const answer = await readAnswer(response);
    return { answer, took: performance.now() - begin };
  }

  async repeat(times) {
    const took = [];
    let answer = null;
    for (let at = 0; at < times && !this.stopped; at++) {
      const result = await this.once();
      answer = result.answer;
      took.push(result.took);
      if (times > 1) {
        this.say(`${at + 1} of ${times}`);
      }
    }
    took.sort((a, b) => a - b);
    return { answer, took };
  }

  show({ answer, took }) {
    if (!answer) {
      this.say("stopped");
      return;
    }
    const median = milliseconds(took[Math.floor(took.length / 2)]);
    const spread = took.length > 1 ? ` (the median of ${took.length}; ${milliseconds(took[0])} to ${milliseconds(took[took.length - 1])})` : "";
    this.say(`${answer.model_name} version ${answer.model_version} answered in ${median}${spread}, as this browser measures it.`);
    byId("try-outputs").replaceChildren(...answer.outputs.flatMap(showOutput));
  }

  async run() {
    const times = Math.max(1, Math.min(10000, Number(byId("try-times").value) || 1));
    this.stopped = false;
    byId("try-send").disabled = true;
    byId("try-stop").hidden = times === 1;
    byId("try-outputs").replaceChildren();
    this.say("sending");
    try {
      this.show(await this.repeat(times));
    } catch (error) {
      this.say(error.message, true);
    }
    byId("try-send").disabled = false;
    byId("try-stop").hidden = true;
  }
}

