export * from './index.js'

/** Fetches the module and compiles it, once. `source` is where it is, the answer to a request for it, its bytes, or
 * the module itself; without it, it is the file beside this one. */
export default function init(
  source?: string | URL | Response | BufferSource | WebAssembly.Module | PromiseLike<Response>,
): Promise<void>
