// Runs in the browser that is tested: loads each document as it was and as it was made, both at one
// URL, and says where their trees differ. Nothing in a document runs or is asked for: the policy that
// comes with it forbids that, and yet scripting is on, so that noscript is text.

const HTML = 'http://www.w3.org/1999/xhtml'
const SVG = 'http://www.w3.org/2000/svg'
const MATHML = 'http://www.w3.org/1998/Math/MathML'
const SPACES = { [HTML]: 'html', [SVG]: 'svg', [MATHML]: 'math' }
const PRESENTATION = /^(clip-path|cursor|fill|filter|marker(-end|-mid|-start)?|mask|stroke)$/

// Every URL in CSS: resolved, in UTF-8. Most are as the browser writes them; a custom property is as its
// author did.
const URLS = /url\(\s*(?:"((?:[^"\\]|\\[^])*)"|'((?:[^'\\]|\\[^])*)'|((?:[^"'()\\\s]|\\[0-9a-f]{1,6}\s?|\\[^])*))\s*\)/gi
const css = (text, base) =>
  text.replace(URLS, (_, double, single, bare) => {
    const raw = double ?? single ?? bare
    const url = raw.replace(/\\(?:([0-9a-f]{1,6})\s?|\n|([^]))/gi, (_, hex, c) =>
      hex ? String.fromCodePoint(parseInt(hex, 16)) : c ?? '')
    // Nothing, and what refers to its own document, is the same whatever the base URL is.
    if (url === '' || url.startsWith('#')) return `url(${url})`
    try {
      return `url(${new URL(url, base).href})`
    } catch {
      return `url(${url})`
    }
  })

const sheet = (rules, base) =>
  [...rules].map(rule =>
    rule.constructor.name === 'CSSNamespaceRule' ? rule.cssText : css(rule.cssText, base))

class Walk {
  constructor(document) {
    this.document = document
    // The document is gone when it is asked for.
    this.baseURI = document.baseURI
    this.lines = []
    this.targets = 0
    // Resolves as every link of the document does, in its encoding.
    this.link = document.createElementNS(HTML, 'a')
    this.scratch = document.createElementNS(HTML, 'a')
  }

  url(value) {
    this.targets++
    this.link.setAttribute('href', value)
    return this.link.href
  }

  list(value, separator) {
    return value.split(separator).map(url => url && this.url(url)).join(' ')
  }

  srcset(value) {
    const found = []
    for (let rest = value; ;) {
      rest = rest.replace(/^[\s,]+/, '')
      if (!rest) return found.join(', ')
      const run = rest.match(/^\S+/)[0]
      const url = run.replace(/,+$/, '')
      rest = rest.slice(run.length)
      let descriptors = ''
      if (url === run) {
        descriptors = rest.match(/^(?:\([^)]*(?:\)|$)|[^,(])*/)[0]
        rest = rest.slice(descriptors.length)
      }
      found.push(this.url(url) + descriptors)
    }
  }

  refresh(value) {
    const parts = value.match(/^(\s*[\d.]+\s*[;,\s]\s*(?:url\s*=\s*)?)(['"]?)([^]*)$/i)
    if (!parts) return value
    const [, before, quote, rest] = parts
    const end = quote && rest.includes(quote) ? rest.indexOf(quote) : rest.length
    return before + quote + (rest && this.url(rest.slice(0, end))) + rest.slice(end)
  }

  // What the value of an attribute means.
  value(element, attribute) {
    const { localName: name, value } = attribute
    const space = SPACES[element.namespaceURI]
    if (!space || (attribute.namespaceURI && attribute.namespaceURI !== 'http://www.w3.org/1999/xlink'))
      return value
    const spelled = attribute.namespaceURI ? 'xlink:' + name : name
    if (spelled === 'style' && element.style) return css(element.style.cssText, this.document.baseURI)
    if (space === 'svg' && PRESENTATION.test(spelled)) {
      this.scratch.style.cssText = ''
      this.scratch.style.setProperty(name, value)
      return css(this.scratch.style.cssText, this.document.baseURI)
    }
    const place = `${space} ${element.localName} ${spelled}`
    const names = [element.localName, '*', element.localName.includes('-') ? '*-*' : '*']
    if (!names.some(name => PLACES.has(`${space} ${name} ${spelled}`))) return value
    if (/srcset$/.test(name)) return this.srcset(value)
    if (name === 'ping' || name === 'attributionsrc') return this.list(value, /\s+/)
    if (name === 'archive') return this.list(value, element.localName === 'applet' ? /[\s,]+/ : /\s+/)
    if (name === 'srcdoc') return ''
    if (name === 'content')
      return /^refresh$/i.test(element.getAttribute('http-equiv')) ? this.refresh(value) : value
    if (place === 'html base href') return this.base(element)
    // Only what is behind `#` is used.
    if (name === 'usemap') return value.replace(/^[^#]*/, '')
    return this.url(value)
  }

  // Only the first one means anything.
  base(element) {
    const bases = [...this.document.getElementsByTagNameNS(HTML, 'base')]
    const first = bases.find(base => base.hasAttribute('href'))
    return element === first ? this.document.baseURI : ''
  }

  line(depth, text) {
    this.lines.push(depth + ' ' + text)
  }

  // The nodes below one.
  below(node, depth) {
    for (const child of node.childNodes) this.node(child, depth)
  }

  node(node, depth) {
    if (node.nodeType !== Node.ELEMENT_NODE) {
      const parent = node.parentNode
      const text = [Node.TEXT_NODE, Node.CDATA_SECTION_NODE].includes(node.nodeType)
      // The text of a style sheet is compared by its rules; in a template it has none.
      if (text && parent.localName === 'style' && SPACES[parent.namespaceURI]) return this.line(depth, 'a run of CSS')
      if (text && /^no(script|frames)$/.test(parent.localName) && parent.namespaceURI === HTML) {
        const inner = new DOMParser().parseFromString(node.data, 'text/html')
        return this.below(inner, depth)
      }
      return this.line(depth, `${node.nodeName} ${node.data ?? ''}`)
    }
    this.line(depth, `<${node.namespaceURI} ${node.localName}>`)
    for (const attribute of node.attributes) {
      const name = `${attribute.namespaceURI ?? ''} ${attribute.name}`
      this.line(depth, `<${node.localName} ${name}>: ${this.value(node, attribute)}`)
    }
    if (node.localName === 'style' && node.sheet)
      for (const rule of sheet(node.sheet.cssRules, this.document.baseURI)) {
        if (rule.includes('url(')) this.targets++
        this.line(depth, 'rule ' + rule)
      }
    this.below(node, depth + 1)
    // That of a `meta` is a text.
    if (node.content?.childNodes) this.below(node.content, depth + 1)
    if (node.localName === 'iframe' && node.hasAttribute('srcdoc') && node.contentDocument) {
      const inner = new Walk(node.contentDocument)
      inner.below(node.contentDocument, depth + 1)
      this.lines.push(...inner.lines)
      this.targets += inner.targets
    }
  }
}

const load = url => new Promise((done, failed) => {
  const frame = document.createElement('iframe')
  const end = found => {
    clearTimeout(timer)
    frame.remove()
    done(found)
  }
  const timer = setTimeout(() => {
    frame.remove()
    failed(new Error(`${url} does not load`))
  }, 120000)
  frame.onload = () => {
    try {
      const walk = new Walk(frame.contentDocument)
      walk.below(frame.contentDocument, 0)
      end(walk)
    } catch (error) {
      failed(error)
    }
  }
  frame.src = url
  document.body.append(frame)
})

const ask = async (path, body) => (await fetch(path, { method: 'POST', body })).json()

const run = async () => {
  for (let job = await ask('/next', ''); job; job = await ask('/next', '')) {
    const old = await load(job.url)
    await ask('/made', '')
    const made = await load(job.url)
    const length = Math.max(old.lines.length, made.lines.length)
    let at = 0
    while (at < length && old.lines[at] === made.lines[at]) at++
    // With such a base URL nothing is resolved, so that there is nothing to compare.
    const note = old.baseURI === 'about:blank' ? ' (no base URL)' : ''
    const shown = at < length ? [(old.lines[at] ?? '(nothing)') + note, made.lines[at] ?? '(nothing)'] : null
    const broken = old.lines.some(line => / parsererror>$/.test(line))
    await ask('/found', JSON.stringify({ targets: old.targets, broken, shown }))
  }
}

run().catch(error => ask('/failed', `${error}\n${error.stack}`))
