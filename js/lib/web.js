// Browsers: the module is fetched, which takes a moment.
import { start } from './core.js'

let started

/** Fetches the module and compiles it. `source` is where it is, the answer to a request for it, its bytes, or
 * the module itself; without it, it is the file beside this one. */
export default function init(source) {
  started ??= load(source).catch((error) => {
    started = undefined
    throw error
  })
  return started
}

async function load(source = new URL('./module/abslink.wasm', import.meta.url)) {
  source = await source
  if (source instanceof WebAssembly.Module) return start(source)
  if (ArrayBuffer.isView(source) || source instanceof ArrayBuffer) return start(await WebAssembly.compile(source))
  const response = source instanceof Response ? source : await fetch(source)
  if (!response.ok) throw new Error(`cannot fetch ${response.url}: ${response.status} ${response.statusText}`)
  start(await WebAssembly.compile(await response.arrayBuffer()))
}

export * from './api.js'
