// In a page whose frames are the pages of a tree: where each of their links leads, a line each.
const ATTRIBUTES = ['href', 'src', 'poster', 'data', 'background', 'longdesc', 'action', 'formaction', 'manifest']
// Strings that are no URLs are passed over.
const URLS = /url\(\s*(?:"([^"]*)"|'([^']*)'|([^"')]*))\s*\)|"(?:[^"\\]|\\.)*"/g

function resolved(value, base) {
  try {
    return new URL(value, base).href
  } catch {
    return ''
  }
}

function sheets(page, found) {
  for (const sheet of page.styleSheets) {
    let rules = []
    try {
      rules = [...sheet.cssRules]
    } catch {
      // It is from another site.
    }
    for (const [, double, single, bare] of rules.map(rule => rule.cssText).join('\n').matchAll(URLS))
      found.push(resolved(double ?? single ?? bare ?? '', sheet.href ?? page.baseURI))
  }
}

function links(page) {
  const found = []
  for (const element of page.querySelectorAll('*')) {
    if (element.localName === 'base') continue
    for (const name of ATTRIBUTES)
      if (element.hasAttribute(name)) found.push(resolved(element.getAttribute(name), page.baseURI))
    const candidates = element.getAttribute('srcset')?.split(/,\s/) ?? []
    for (const candidate of candidates) found.push(resolved(candidate.trim().split(/\s/)[0], page.baseURI))
  }
  sheets(page, found)
  return found
}

addEventListener('load', () => {
  const lines = []
  for (const frame of document.querySelectorAll('iframe')) {
    const page = frame.contentDocument
    for (const url of links(page)) lines.push(encodeURIComponent(page.URL) + ' ' + encodeURIComponent(url))
  }
  // Asks the server for each, if one is asked about.
  const { site, at } = document.body.dataset
  for (const line of site ? lines : []) {
    const url = decodeURIComponent(line.split(' ')[1]).split('#')[0].replace(site, location.origin + at)
    if (!url.startsWith(location.origin + '/')) continue
    const request = new XMLHttpRequest()
    request.open('HEAD', url, false)
    request.send()
  }
  document.body.innerHTML = '<pre>\n' + lines.join('\n') + '\n</pre>'
})
