// Tensors for a request, and what an answer has: JSON, or bytes for the two types that JSON has no numbers for.

const MOST_ELEMENTS = 4000000;

export const needsBytes = (datatype) => datatype === "FP16" || datatype === "BF16";

export function countOf(shape) {
  return shape.reduce((product, size) => product * size, 1);
}

// "1, 784" as [1, 784]; an error says what is wanted.
export function readShape(text, wanted) {
  const parts = text.split(",").map((part) => part.trim()).filter((part) => part !== "");
  const shape = parts.map(Number);
  if (shape.some((size) => !Number.isInteger(size) || size < 0)) {
    throw new Error(`the shape '${text}' is not made of whole numbers`);
  }
  if (shape.length !== wanted.length || shape.some((size, at) => wanted[at] >= 0 && wanted[at] !== size)) {
    throw new Error(`the shape [${shape}] does not fit [${wanted}]`);
  }
  if (countOf(shape) > MOST_ELEMENTS) {
    throw new Error(`${countOf(shape)} elements are more than this page sends (${MOST_ELEMENTS})`);
  }
  return shape;
}

function one(datatype, fill) {
  if (datatype === "BOOL") {
    return fill === "ones" || (fill === "random" && Math.random() < 0.5);
  }
  if (fill !== "random") {
    return fill === "ones" ? 1 : 0;
  }
  return datatype.includes("INT") ? Math.floor(Math.random() * 10) : Math.random() * 2 - 1;
}

export function makeData(datatype, shape, fill) {
  return Array.from({ length: countOf(shape) }, () => one(datatype, fill));
}

// What a person wrote: JSON nested in any way, or numbers with commas or white space between them.
export function readData(text, shape) {
  let data;
  try {
    data = JSON.parse(text);
  } catch {
    data = text.split(/[\s,]+/).filter((part) => part !== "").map((part) => (part === "true" || part === "false" ? part === "true" : Number(part)));
  }
  data = [data].flat(Infinity);
  if (data.some((value) => typeof value !== "boolean" && (typeof value !== "number" || Number.isNaN(value)))) {
    throw new Error("the data is not made of numbers");
  }
  if (data.length !== countOf(shape)) {
    throw new Error(`${data.length} elements where [${shape}] has ${countOf(shape)}`);
  }
  return data;
}

// ---- Halves ---------------------------------------------------------------------------------------------------------

const view = new DataView(new ArrayBuffer(4));

function toBits(value) {
  view.setFloat32(0, value);
  return view.getUint32(0);
}

function fromBits(bits) {
  view.setUint32(0, bits >>> 0);
  return view.getFloat32(0);
}

// To the nearest, ties to even; what is too large becomes infinite.
function toHalf(value) {
  const bits = toBits(value);
  const sign = (bits >>> 16) & 0x8000;
  const size = Math.abs(value);
  if (Number.isNaN(value)) return 0x7e00;
  if (size >= 65520) return sign | 0x7c00;
  if (size < 2 ** -14) {
    const scaled = size * 2 ** 24;
    const down = Math.floor(scaled);
    const rest = scaled - down;
    return sign | (rest > 0.5 || (rest === 0.5 && down % 2) ? down + 1 : down);
  }
  const kept = (bits & 0x7fffffff) - (112 << 23);
  return sign | ((kept + 0xfff + ((kept >>> 13) & 1)) >>> 13);
}

function fromHalf(bits) {
  const sign = bits & 0x8000 ? -1 : 1;
  const exponent = (bits >>> 10) & 31;
  const rest = bits & 1023;
  if (exponent === 31) return rest ? NaN : sign * Infinity;
  return sign * (exponent ? (1 + rest / 1024) * 2 ** (exponent - 15) : rest * 2 ** -24);
}

function toBrain(value) {
  const bits = toBits(value);
  return Number.isNaN(value) ? 0x7fc0 : ((bits + 0x7fff + ((bits >>> 16) & 1)) >>> 16) & 0xffff;
}

export function toBytes(datatype, data) {
  const out = new DataView(new ArrayBuffer(2 * data.length));
  data.forEach((value, at) => out.setUint16(2 * at, datatype === "FP16" ? toHalf(+value) : toBrain(+value), true));
  return new Uint8Array(out.buffer);
}

export function fromBytes(datatype, bytes) {
  const from = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return Array.from({ length: bytes.byteLength / 2 }, (_, at) => {
    const bits = from.getUint16(2 * at, true);
    return datatype === "FP16" ? fromHalf(bits) : fromBits(bits << 16);
  });
}

// ---- Requests -------------------------------------------------------------------------------------------------------

// {headers, body} of the request; inputs: [{name, datatype, shape, data}].
export function makeRequest(inputs, outputs) {
  const tensors = [];
  const head = {
    inputs: inputs.map(({ name, datatype, shape, data }) => {
      if (!needsBytes(datatype)) {
        return { name, datatype, shape, data };
      }
      const bytes = toBytes(datatype, data);
      tensors.push(bytes);
      return { name, datatype, shape, parameters: { binary_data_size: bytes.length } };
    }),
    outputs: outputs.map(({ name, datatype }) => (needsBytes(datatype) ? { name, parameters: { binary_data: true } } : { name })),
  };
  const json = new TextEncoder().encode(JSON.stringify(head));
  if (!tensors.length) {
    return { headers: { "Content-Type": "application/json" }, body: json };
  }
  return { headers: { "Content-Type": "application/octet-stream", "Inference-Header-Content-Length": String(json.length) }, body: new Blob([json, ...tensors]) };
}

// JSON has no NaN and infinities; answers have.
function parse(text) {
  try {
    return JSON.parse(text);
  } catch {
    const named = text.replace(/(?<=[[,:])\s*(-?Infinity|NaN)(?=\s*[,\]}])/g, '"$1"');
    return JSON.parse(named, (_, value) => (value === "NaN" || value === "Infinity" || value === "-Infinity" ? Number(value) : value));
  }
}

// Outputs with their data, from an answer of 200.
export async function readAnswer(response) {
  const bytes = new Uint8Array(await response.arrayBuffer());
  const size = Number(response.headers.get("Inference-Header-Content-Length") ?? bytes.length);
  const answer = parse(new TextDecoder().decode(bytes.subarray(0, size)));
  let at = size;
  for (const output of answer.outputs) {
    const length = output.parameters?.binary_data_size;
    if (length !== undefined) {
      output.data = fromBytes(output.datatype, bytes.slice(at, at + length));
      at += length;
    }
  }
  return answer;
}
