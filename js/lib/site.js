// What the adapters for sites have in common: which URL an output has, and how it is read.
import { rewrite } from 'abslink-html'

/** How feeds and sitemaps begin. */
const FEED = /<(rss|feed|rdf:RDF|urlset|sitemapindex)[\s>]/

/** What an output is, by its name and how it begins; undefined if it is left alone. */
export function kindOf(path, text) {
  if (/\.html?$/i.test(path)) return 'html'
  const isFeed = /\.(xml|rss|atom)$/i.test(path) && FEED.test(text.slice(0, 2000))
  return isFeed ? 'feed' : undefined
}

/** Reads what an adapter is given: the URL of the site, which outputs count, and the options of `rewrite`. */
export function site({ base, pages = true, feeds = true, ...options } = {}) {
  if (base !== undefined) base = new URL(base)
  return {
    base,
    /** An output with absolute references. `path` is relative to the base URL. */
    absolute(text, path, kind, root = base) {
      if (kind === undefined || !(kind === 'feed' ? feeds : pages)) return text
      if (root === undefined) throw new TypeError("abslink-html needs the URL of the site: { base: 'https://example.org/' }")
      const url = new URL(path.replace(/^\//, ''), root)
      return rewrite(text, url, { ...options, as: kind })
    },
  }
}
