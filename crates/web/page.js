// Loads the viewer: the bundle for WebGPU where an adapter answers, else that for WebGL2.
const state = document.getElementById("state");
const words = document.getElementById("words");
const bar = document.getElementById("loaded");

// Shows an error in the place of the viewer.
function fail(text) {
  const block = document.createElement("pre");
  block.textContent = text;
  const again = document.createElement("button");
  again.textContent = "Load again";
  again.onclick = () => location.reload();
  state.replaceChildren(block, again);
  state.hidden = false;
}
window.showFault = fail;
window.addEventListener("error", (event) => {
  if (event.error instanceof WebAssembly.RuntimeError) fail("The viewer failed. The browser's console says why.");
});

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
  const query = new URLSearchParams(location.search);
  const gl = query.get("backend") === "gl" || !(await hasWebGpu());
  if (gl && !document.createElement("canvas").getContext("webgl2")) {
    return fail("This browser offers neither WebGPU nor WebGL2, which the viewer draws with.");
  }
  query.delete("backend");
  const bundle = gl ? "webgl" : "webgpu";
  const { default: init, open } = await import(`./${bundle}.js`);
  await init({ module_or_path: await load(`${bundle}_bg.wasm`) });
  await open(document.getElementById("canvas"), query.toString());
  state.hidden = true;
}

setTimeout(() => {
  if (!state.hidden) words.textContent = "The viewer is loading. It has some megabytes.";
}, 3000);
start().catch((error) => fail(typeof error === "string" ? error : `The viewer did not start: ${error.message ?? error}`));
