// Loads the viewer: the bundle for WebGPU where an adapter answers, else that for WebGL2.
const canvas = document.getElementById("canvas");
const state = document.getElementById("state");
const words = document.getElementById("words");
const bar = document.getElementById("loaded");

// A module with one function, which returns a vector of 128 bits.
const SIMD = Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 10, 1, 8, 0, 65, 0, 253, 15, 253, 98, 11);

// Shows an error in the place of the viewer: the first one, since others follow from it.
function fail(text) {
  if (state.querySelector("pre")) return;
  const block = document.createElement("pre");
  block.textContent = text;
  const again = document.createElement("button");
  again.textContent = "Load again";
  again.onclick = () => location.reload();
  state.replaceChildren(block, again);
  state.hidden = false;
}
window.showFault = fail;
// Without a message of the viewer itself: of memory or of the stack there is none left.
window.addEventListener("error", ({ error }) => {
  if (["RuntimeError", "RangeError"].includes(error?.name)) fail(`The viewer failed, perhaps for want of memory: ${error.message}`);
});
canvas.addEventListener("webglcontextlost", () => fail("The graphics device was lost."));

// The bytes of a file, with the part that is there shown in the bar.
async function load(path) {
  const response = await fetch(path);
  if (!response.ok) throw new Error(`${path} cannot be loaded: ${response.status} ${response.statusText}`);
  const length = Number(response.headers.get("content-length"));
  if (!response.body || !length || response.headers.get("content-encoding")) return response.arrayBuffer();
  const bytes = new Uint8Array(length);
  let at = 0;
  for (const reader = response.body.getReader(); ;) {
    const { done, value } = await reader.read();
    if (done) return bytes.buffer;
    bytes.set(value, at);
    bar.value = (at += value.length) / length;
  }
}

async function hasWebGpu() {
  try {
    return Boolean(await navigator.gpu?.requestAdapter());
  } catch {
    return false;
  }
}

async function start() {
  if (!window.WebAssembly?.validate(SIMD)) {
    return fail("This browser has no WebAssembly with SIMD, which the viewer is compiled to. Newer ones have it.");
  }
  const query = new URLSearchParams(location.search);
  const gl = query.get("backend") === "gl" || !(await hasWebGpu());
  if (gl && !document.createElement("canvas").getContext("webgl2")) {
    return fail("This browser offers neither WebGPU nor WebGL2, which the viewer draws with.");
  }
  query.delete("backend");
  const bundle = gl ? "webgl" : "webgpu";
  const { default: init, open } = await import(`./${bundle}.js`);
  await init({ module_or_path: await load(`${bundle}_bg.wasm`) });
  await open(canvas, query.toString());
  state.hidden = true;
}

setTimeout(() => {
  if (!state.hidden) words.textContent = "The viewer is loading. It has some megabytes.";
}, 3000);
start().catch((error) => fail(typeof error === "string" ? error : `The viewer did not start: ${error.message ?? error}`));
