// Responses: in Workers, Deno, Bun, service workers, and whatever else has them.
import { RewriterStream } from 'abslink-html'

const HTML = /^\s*(text\/html|application\/xhtml\+xml)\s*(;|$)/i

export function absolute(response, base = response.url, options) {
  const contentType = response.headers.get('content-type') ?? ''
  // A part of a document cannot be rewritten.
  const isWhole = response.status !== 206 && response.body !== null
  if (!isWhole || !HTML.test(contentType)) return response
  const body = response.body.pipeThrough(new RewriterStream(base, { contentType, ...options }))
  const { status, statusText } = response
  const headers = new Headers(response.headers)
  // It counts the bytes of the old document.
  headers.delete('content-length')
  return new Response(body, { status, statusText, headers })
}
