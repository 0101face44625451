// Node and Bun: the module is read and compiled at import.
import { readFileSync } from 'node:fs'
import { start } from './core.js'

start(new WebAssembly.Module(readFileSync(new URL('./module/abslink.wasm', import.meta.url))))

export * from './api.js'
