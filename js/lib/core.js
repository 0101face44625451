// What the package does, whatever brings the module: node.js, workerd.js, web.js and inline.js call `start`.

import * as module from './module/bindings.js'
import { compiled, resolverOf } from './options.js'
import { decode, encode } from './text.js'

/** Something cannot be done; `code` says what. */
export class AbslinkError extends Error {
  constructor(code, message, options) {
    super(message, options)
    this.name = 'AbslinkError'
    this.code = code
  }
}

let isReady = false

/** The number of the instance: there is a new one after a panic. */
let instance = 0

/** Makes an instance of the module. */
export function start(compiledModule) {
  if (!isReady) module.initSync({ module: compiledModule })
  isReady = true
}

/** Has the module do something. After a panic there is a fresh instance. */
function run(work) {
  if (!isReady) {
    throw new Error("the module is not there yet: import init from 'abslink-html/web', and await init() first")
  }
  try {
    return work()
  } catch (error) {
    throw failure(error)
  }
}

/** What the module throws is a code and a message; anything else has ended the instance. */
function failure(thrown) {
  const [, code, message] = (typeof thrown === 'string' && /^([a-z]+)\n(.*)$/s.exec(thrown)) || []
  if (code === 'usage') return new TypeError(message)
  if (code) return new AbslinkError(code, message)
  module.__wbg_reset_state()
  instance++
  const reason = thrown.message.replace(/^panic\n/, '')
  return new AbslinkError('panic', `abslink failed (${reason}); please report this`, { cause: thrown })
}

function urlOf(base) {
  if (base instanceof URL) return base.href
  if (typeof base === 'string') return base
  throw new TypeError(`the base URL is a string or a URL, and not ${typeof base}`)
}

function textOf(html) {
  if (typeof html === 'string') return html
  throw new TypeError(`the document is a string, and not ${typeof html}; rewriteBytes takes bytes`)
}

function bytesOf(document) {
  if (document instanceof Uint8Array) return document
  throw new TypeError(`the document is a Uint8Array, and not ${typeof document}`)
}

export function rewrite(html, base, options) {
  return rewritten(textOf(html), urlOf(base), compiled(options, true))
}

function rewritten(html, base, options) {
  const [bytes, taken] = encode(html)
  const changed = run(() => module.rewrite(bytes, base, options))
  return changed ? taken(decode(changed)) : html
}

export function rewriteBytes(document, base, options) {
  const given = compiled(options, false, ['contentType'])
  return run(() => module.rewrite(bytesOf(document), urlOf(base), given)) ?? document
}

export function resolve(base, reference, options) {
  const resolver = resolverOf(options)
  if (typeof reference !== 'string') throw new TypeError(`the reference is a string, and not ${typeof reference}`)
  return run(() => module.resolve(urlOf(base), reference, resolver))
}

/** Reads references as JSON; a text has its surrogates again. */
function listed(document, options, more, list) {
  const isText = typeof document === 'string'
  const given = compiled(options, isText, isText ? more : [...more, 'contentType'])
  const [bytes, taken] = isText ? encode(document) : [bytesOf(document), (text) => text]
  return JSON.parse(taken(run(() => list(bytes, given))))
}

export function links(document, base, options) {
  const url = urlOf(base)
  return listed(document, options, [], (bytes, given) => module.references(bytes, url, given, false))
}

export function check(document, options) {
  const url = options?.baseUrl === undefined ? undefined : urlOf(options.baseUrl)
  return listed(document, options, ['baseUrl'], (bytes, given) => module.references(bytes, url, given, true))
}

export function explain(document, base, options) {
  const url = urlOf(base)
  return listed(document, options, [], (bytes, given) => module.explain(bytes, url, given))
}

export class Rewriter {
  #base
  #text
  #bytes

  constructor(base, options) {
    this.#base = urlOf(base)
    this.#text = compiled(options, true)
    this.#bytes = compiled(options, false)
    // Wrong options and bases are an error here, and not at the first document.
    run(() => module.rewrite(new Uint8Array(), this.#base, this.#bytes))
  }

  rewrite(html) {
    return rewritten(textOf(html), this.#base, this.#text)
  }

  rewriteBytes(document) {
    return run(() => module.rewrite(bytesOf(document), this.#base, this.#bytes)) ?? document
  }
}

export class RewriterStream extends TransformStream {
  constructor(base, options) {
    const given = compiled(options, false, ['contentType'])
    const stream = run(() => new module.Stream(urlOf(base), given))
    const of = instance
    const put = (work, to) => {
      if (of !== instance) throw new AbslinkError('panic', 'abslink failed in another call while this stream was open')
      const bytes = run(work)
      if (bytes.length > 0) to.enqueue(bytes)
    }
    super({
      transform: (chunk, to) => put(() => stream.write(bytesOf(chunk)), to),
      flush: (to) => {
        put(() => stream.end(), to)
        stream.free()
      },
    })
  }
}

/** Fails as a bug would; for tests. */
export function fail(message) {
  run(() => module.fail(message))
}
