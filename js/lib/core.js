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
  // It was thrown before the module was called, of a detached buffer for example.
  if (thrown instanceof TypeError) return thrown
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

function bytesOf(document, what = 'a Uint8Array') {
  if (document instanceof Uint8Array) return document
  throw new TypeError(`the document is ${what}, and not ${typeof document}`)
}

export function rewrite(html, base, options) {
  return rewritten(textOf(html), urlOf(base), compiled(options, true))
}

function rewritten(html, base, options) {
  const { bytes, taken } = encode(html)
  const changed = run(() => module.rewrite(bytes, base, options))
  return changed ? taken(decode(changed)) : html
}

export function rewriteBytes(document, base, options) {
  return rewrittenBytes(bytesOf(document), urlOf(base), compiled(options, false, ['contentType']))
}

function rewrittenBytes(document, base, options) {
  return run(() => module.rewrite(document, base, options)) ?? document
}

export function resolve(base, reference, options) {
  const url = urlOf(base)
  const resolver = resolverOf(options)
  if (typeof reference !== 'string') throw new TypeError(`the reference is a string, and not ${typeof reference}`)
  return run(() => module.resolve(url, reference, resolver))
}

/** Reads references as JSON; a text has its surrogates again. */
function listed(document, options, more, list) {
  const isText = typeof document === 'string'
  const given = compiled(options, isText, isText ? more : [...more, 'contentType'])
  if (!isText) return JSON.parse(list(bytesOf(document, 'a string or a Uint8Array'), given))
  const { bytes, taken, index } = encode(document)
  const references = JSON.parse(taken(list(bytes, given)))
  for (const reference of references) {
    reference.start = index(reference.start)
    reference.end = index(reference.end)
  }
  return references
}

export function links(document, base, options) {
  const url = urlOf(base)
  return listed(document, options, [], (bytes, given) => run(() => module.references(bytes, url, given, false)))
}

export function check(document, options) {
  const url = options?.baseUrl === undefined ? undefined : urlOf(options.baseUrl)
  return listed(document, options, ['baseUrl'], (bytes, given) => run(() => module.references(bytes, url, given, true)))
}

export function explain(document, base, options) {
  const url = urlOf(base)
  return listed(document, options, [], (bytes, given) => run(() => module.explain(bytes, url, given)))
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
    return rewrittenBytes(bytesOf(document), this.#base, this.#bytes)
  }
}

export class RewriterStream extends TransformStream {
  constructor(base, options) {
    const url = urlOf(base)
    const given = compiled(options, false, ['contentType'])
    let stream = run(() => new module.Stream(url, given))
    const of = instance
    // The collector does not know how much memory of the module is behind an object: nothing waits for it.
    const free = () => {
      if (of === instance) stream?.free()
      stream = undefined
    }
    const put = (work, to) => {
      try {
        if (of !== instance) throw new AbslinkError('panic', 'abslink failed in another call while this stream was open')
        const bytes = run(work)
        if (bytes.length > 0) to.enqueue(bytes)
      } catch (error) {
        free()
        throw error
      }
    }
    super({
      transform: (chunk, to) => put(() => stream.write(bytesOf(chunk)), to),
      flush: (to) => {
        put(() => stream.end(), to)
        free()
      },
      cancel: free,
    })
  }
}

/** Fails as a bug would; for tests. */
export function fail(message) {
  run(() => module.fail(message))
}

/** How large the memory of the module is; for tests. */
export function memory() {
  return run(() => module.memory_size())
}
