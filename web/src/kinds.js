// What a document is: the values of the option `as`, and how a file or a pasted text tells.

/** By value of `as`: its name here, the ending of its file, and the media type of a download. */
export const KINDS = {
  html: { name: 'HTML', file: 'page.html', media: 'text/html' },
  xhtml: { name: 'XHTML', file: 'page.xhtml', media: 'application/xhtml+xml' },
  feed: { name: 'Feed, sitemap or OPML', file: 'feed.xml', media: 'application/xml' },
  css: { name: 'CSS', file: 'style.css', media: 'text/css' },
  message: { name: 'Mail or MHTML', file: 'mail.eml', media: 'message/rfc822' },
  manifest: { name: 'Web app manifest', file: 'app.webmanifest', media: 'application/manifest+json' },
  'speculation-rules': { name: 'Speculation rules', file: 'rules.json', media: 'application/speculationrules+json' },
}

const ENDINGS = [
  [/\.(html?|shtml)$/i, 'html'],
  [/\.(xhtml|xht)$/i, 'xhtml'],
  [/\.(rss|atom|opml)$/i, 'feed'],
  [/\.css$/i, 'css'],
  [/\.(eml|mht|mhtml)$/i, 'message'],
  [/\.webmanifest$/i, 'manifest'],
]

/** What a document is, by the name of its file and its first letters. */
export function kindOf(start, name = '') {
  const byName = ENDINGS.find(([pattern]) => pattern.test(name))
  if (byName) return byName[1]
  const text = start.slice(0, 4000)
  if (/^\uFEFF?\s*(<\?xml[^>]*>\s*|<!--[^]*?-->\s*|<\?[^>]*\?>\s*)*<(rss|feed|rdf:RDF|urlset|sitemapindex|opml)[\s>]/.test(text)) return 'feed'
  if (/^\s*\{[^]*"version"\s*:\s*"https:\/\/jsonfeed\.org/.test(text)) return 'feed'
  if (/^([!-9;-~]+:.*(\r?\n[ \t].*)*\r?\n)*(mime-version|content-type):/i.test(text)) return 'message'
  if (/^\uFEFF?\s*<\?xml[^>]*>/.test(text) && text.includes('http://www.w3.org/1999/xhtml')) return 'xhtml'
  if (!text.includes('<') && /[{@][^]*[};]/.test(text)) return 'css'
  return 'html'
}
