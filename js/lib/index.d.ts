/** Which standard resolves: RFC 1808 (the default), RFC 3986, or the URL Standard of browsers. */
export type Resolver = 'rfc1808' | 'rfc3986' | 'whatwg'

/** What a document is. `feed` is RSS, Atom, JSON Feed, a sitemap or OPML. */
export type Kind = 'html' | 'xhtml' | 'message' | 'feed' | 'css' | 'manifest' | 'speculation-rules'

/** A group of places that hold URLs; `all` is every group. */
export type Group =
  | 'links'
  | 'canonical'
  | 'srcset'
  | 'css'
  | 'refresh'
  | 'srcdoc'
  | 'svg'
  | 'legacy'
  | 'noscript'
  | 'feed'
  | 'meta'
  | 'lazy'
  | 'comments'
  | 'json'
  | 'amp'
  | 'htmx'
  | 'blocks'
  | 'all'

/** The options of the command `abslink`, by its names in camelCase, with its defaults. */
export interface Options {
  /** What the document is: `html` by default. */
  as?: Kind
  /** The label of the encoding that the transport gave. It takes precedence over what the document declares. Of
   * strings, which are decoded already, it is ignored. */
  charset?: string
  resolver?: Resolver
  /** Whether `href="#x"` is resolved like all others (`auto`, the default, and `resolve`), or stays. */
  fragments?: 'auto' | 'resolve' | 'keep'
  /** Whether references that begin with a template placeholder, such as `{{ url }}`, stay (the default). */
  placeholders?: 'keep' | 'resolve'
  /** Take these groups too. */
  also?: readonly Group[]
  /** Leave these groups alone. */
  skip?: readonly Group[]
  /** Take these groups and no others. */
  only?: readonly Group[]
  /**
   * Take these attributes too, such as `img@data-full` and `@data-set:srcset`, and the text of elements in feeds
   * and XHTML, such as `g:link:url`.
   */
  attr?: readonly string[]
  /** Leave alone the references in which this regular expression matches somewhere. A string has the flag `u`. */
  excludeUrl?: string | RegExp
  /** The form of references to what is on the same server, or in `site`: `absolute` by default. With `keep`, only
   * what `moveUrl` or `unwrap` changes does. */
  to?: 'absolute' | 'relative' | 'root' | 'keep'
  /** More URLs that stand for the same tree. */
  site?: readonly string[]
  /** Prefixes of URLs to replace in every reference, such as `http://localhost/=https://example.org/`. */
  moveUrl?: readonly string[]
  /** Take out each `<base href>` on which no reference depends any more. */
  removeBase?: boolean
  /** Take the URL in that of a web archive's copy, such as `/web/20200103104500/http://www.example.com/`. */
  unwrap?: boolean
  /** What the HTML in a feed is relative to: the page of its `item` by default. */
  feedBase?: 'item' | 'feed' | 'document'
}

/** Options of bytes. */
export interface BytesOptions extends Options {
  /** The `Content-Type` of the document, which says what it is and names its encoding. `as` and `charset` take
   * precedence. */
  contentType?: string
}

/** What became of a reference. */
export type Outcome =
  | 'relative'
  | 'absolute'
  | 'same-document'
  | 'unresolved'
  | 'excluded'
  | 'present'
  | 'placeholder'
  | 'windows-path'

/** A reference of a document: the fields of `abslink links --format json`. */
export interface Reference {
  /** From 1. */
  line: number
  /** From 1, in characters. */
  column: number
  /** Where in the document is what would be replaced: an index into a string, or into bytes. */
  start: number
  /** Where that ends. */
  end: number
  element: string
  /** Empty if the reference is in an element's text. */
  attribute: string
  /** The grammar of the value, such as `url`, `srcset` or `css`. */
  kind: string
  /** The decoded reference. */
  reference: string
  absolute: string | null
  /** The base URL that it was resolved against. */
  base: string | null
  /** Where the base URL comes from: `embedded` is `<base>`, `layout` the URL that was given. */
  base_from: 'embedded' | 'entity' | 'layout' | 'self' | 'none' | (string & {})
  outcome: Outcome
  /** What a browser gets, if that differs; empty if it gets nothing. */
  divergent?: string
  /** What is written in its place, with `to`, `moveUrl` or `removeBase`. */
  to?: string
}

/** The components of a URL; `null` is absent. */
export type Components = Record<string, string | null>

/** What a resolver says. */
export interface Resolved {
  resolver: Resolver
  absolute: string | null
  error: string | null
  /** What a browser gets, if that differs; empty if it gets nothing. */
  divergent?: string
  /** Why it differs. */
  class?: { number: number; name: string; explanation: string }
}

/** A reference, and how it was resolved. */
export interface Explained extends Reference {
  /** The section of RFC 1808 that gave the base URL: in the document, around it, where it came from, or none. */
  section: '3.1' | '3.2' | '3.3' | '3.4'
  components: { base: Components; reference: Components } | null
  /** The steps of RFC 1808 section 4; empty with another resolver. */
  steps: { step: string; text: string }[]
  /** What each of the three resolvers says. */
  compare: Resolved[]
}

/** Something cannot be done. */
export class AbslinkError extends Error {
  name: 'AbslinkError'
  /**
   * - `base`: the base URL cannot be one.
   * - `outgrown`: the document would become longer than 16 MiB plus 256 times its length, or than 256 MiB.
   * - `late`: what counts for the whole document came too late in a stream.
   * - `encoding`: the document's character encoding cannot be handled, or the document is not in it.
   * - `damaged`: a feed or a message cannot be read.
   * - `unresolved`: `resolve` has no result.
   * - `panic`: a bug in abslink. The next call works again.
   */
  code: 'base' | 'outgrown' | 'late' | 'encoding' | 'damaged' | 'unresolved' | 'panic'
}

/** Makes the references of a document absolute. Returns the same string if nothing changes. */
export function rewrite(html: string, base: string | URL, options?: Options): string

/** The same for bytes in any encoding. Returns the same object if nothing changes. */
export function rewriteBytes(document: Uint8Array, base: string | URL, options?: BytesOptions): Uint8Array

/** Resolves a reference. */
export function resolve(base: string | URL, reference: string, options?: { resolver?: Resolver }): string

/** Lists the references of a document. */
export function links(document: string, base: string | URL, options?: Options): Reference[]
export function links(document: Uint8Array, base: string | URL, options?: BytesOptions): Reference[]

/** Lists what is relative in a document. */
export function check(document: string, options?: Options & { baseUrl?: string | URL }): Reference[]
export function check(document: Uint8Array, options?: BytesOptions & { baseUrl?: string | URL }): Reference[]

/** Lists the references of a document, and says how each was resolved. */
export function explain(document: string, base: string | URL, options?: Options): Explained[]
export function explain(document: Uint8Array, base: string | URL, options?: BytesOptions): Explained[]

/** Rewrites documents with the same base URL and options. */
export class Rewriter {
  constructor(base: string | URL, options?: Options)
  rewrite(html: string): string
  rewriteBytes(document: Uint8Array): Uint8Array
}

/** Rewrites HTML or XHTML that comes in chunks. At most 8 MiB are held back until the base URL and the encoding
 * are known; what comes later is an error, `late`. */
export class RewriterStream extends TransformStream<Uint8Array, Uint8Array> {
  constructor(base: string | URL, options?: BytesOptions)
}
