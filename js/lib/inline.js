// Wherever files cannot be read or fetched: the module is in this package's JavaScript, and is compiled at import.
import base64 from './module/inline.js'
import { start } from './core.js'

start(new WebAssembly.Module(Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))))

export * from './api.js'
