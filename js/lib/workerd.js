// Workers: the module is a part of the bundle, compiled already.
import compiled from './module/abslink.wasm'
import { start } from './core.js'

start(compiled)

export * from './api.js'
