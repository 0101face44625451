// The base URL and the options above the document. Their names are the command's.

import { h } from './dom.js'
import { KINDS } from './kinds.js'

const OFF = ['meta', 'lazy', 'comments', 'json', 'amp', 'htmx', 'blocks']
const ON = ['links', 'canonical', 'srcset', 'css', 'refresh', 'srcdoc', 'svg', 'legacy', 'noscript', 'feed']

/** The options that are always in sight: their label, and what they may be; the first is the default. */
const MAIN = {
  as: { label: 'Read as', choices: Object.entries(KINDS).map(([value, { name }]) => [value, name]) },
  resolver: { label: 'Resolver', choices: [['rfc1808', 'RFC 1808'], ['rfc3986', 'RFC 3986'], ['whatwg', 'URL Standard (browsers)']] },
  to: { label: 'Write URLs', choices: [['absolute', 'absolute'], ['relative', 'relative to the document'], ['root', 'from the root: /…'], ['keep', 'as they are, but for what moves']] },
}

/** The others. A list has one entry a line. */
const MORE = {
  also: { label: 'Take these places too', groups: OFF },
  skip: { label: 'Leave these alone', groups: ON },
  fragments: { label: 'Links within the page, such as #top', choices: [['resolve', 'become absolute'], ['keep', 'stay']] },
  placeholders: { label: 'References that begin with {{ a placeholder }}', choices: [['keep', 'stay'], ['resolve', 'are resolved']] },
  feedBase: { label: 'The HTML in a feed is relative to', choices: [['item', 'the page of its item'], ['feed', 'the feed'], ['document', 'the URL given above']] },
  excludeUrl: { label: 'Leave what matches a regular expression', hint: '^javascript:' },
  attr: { label: 'More attributes', hint: 'one a line: img@data-full', lines: true },
  moveUrl: { label: 'Replace the beginning of URLs', hint: 'FROM=TO, one a line', lines: true },
  site: { label: 'More URLs of the same site', hint: 'one a line', lines: true },
  charset: { label: 'Encoding, as the server gives it', hint: 'iso-8859-1' },
  unwrap: { label: "Take the URL in that of a web archive's copy", flag: true },
  removeBase: { label: 'Take out <base> if nothing depends on it any more', flag: true },
}

/** Where an option says what is wrong with it, and which names it has in the form. */
export class Form {
  #base
  #options = null
  /** By option: how its value is read, and set. */
  #fields = new Map()

  /** `changed` is called after any change. */
  constructor(main, more, changed) {
    this.#base = h('input', { type: 'url', id: 'base', name: 'base', required: true, spellcheck: false, placeholder: 'https://www.example.org/docs/' })
    main.append(field('base', 'Base URL: where the document comes from', this.#base, 'wide'))
    for (const [name, given] of Object.entries(MAIN)) main.append(this.#field(name, given))
    for (const [name, given] of Object.entries(MORE)) more.append(this.#field(name, given))
    for (const part of [main, more]) part.addEventListener('input', changed)
  }

  #field(name, { label, choices, groups, hint, lines, flag }) {
    if (groups) {
      const boxes = groups.map((group) => h('input', { type: 'checkbox', name, value: group, id: `${name}-${group}` }))
      // A link may have a group of the other half; it stays.
      let others = []
      this.#fields.set(name, {
        read: () => [...boxes.filter((box) => box.checked).map((box) => box.value), ...others],
        set: (value = []) => {
          for (const box of boxes) box.checked = value.includes(box.value)
          others = value.filter((group) => !groups.includes(group))
        },
      })
      const labels = boxes.map((box) => h('label', { className: 'check' }, box, h('code', {}, box.value)))
      return h('fieldset', { className: 'wide' }, h('legend', {}, label), ...labels)
    }
    if (choices) {
      const select = h('select', { id: name, name }, choices.map(([value, text]) => h('option', { value }, text)))
      this.#fields.set(name, {
        read: () => (select.value === choices[0][0] ? undefined : select.value),
        set: (value = choices[0][0]) => (select.value = value),
      })
      return field(name, label, select)
    }
    if (flag) {
      const box = h('input', { type: 'checkbox', id: name, name })
      this.#fields.set(name, { read: () => box.checked || undefined, set: (value = false) => (box.checked = value) })
      return h('label', { className: 'check wide' }, box, label)
    }
    const input = lines ? h('textarea', { id: name, name, rows: 2, spellcheck: false, placeholder: hint }) : h('input', { id: name, name, spellcheck: false, placeholder: hint })
    this.#fields.set(name, {
      read: () => (lines ? input.value.split('\n').map((line) => line.trim()).filter(Boolean) : input.value || undefined),
      set: (value = '') => (input.value = [value].flat().join('\n')),
    })
    return field(name, label, input)
  }

  get base() {
    return this.#base.value.trim()
  }

  /** The options that are not at their default. */
  get options() {
    const given = { ...this.#options }
    for (const [name, { read }] of this.#fields) {
      const value = read()
      if (value !== undefined && value.length !== 0) given[name] = value
    }
    return given
  }

  /** Whether each URL is to keep its form, and none moves. */
  get changesNothing() {
    const { to, moveUrl, unwrap } = this.options
    return to === 'keep' && !moveUrl && !unwrap
  }

  /** How many of the options that are folded away are set. */
  get moreCount() {
    return Object.keys(this.options).filter((name) => !(name in MAIN)).length
  }

  set(base, options) {
    this.#base.value = base
    for (const [name, { set }] of this.#fields) set(options[name])
    // A link may have options that are not in the form.
    this.#options = Object.fromEntries(Object.entries(options).filter(([name]) => !this.#fields.has(name)))
  }

  set kind(kind) {
    this.#fields.get('as').set(kind)
  }

  /** Says whether the base URL is what is wrong. */
  set isBaseWrong(is) {
    if (is) this.#base.setAttribute('aria-invalid', 'true')
    else this.#base.removeAttribute('aria-invalid')
  }
}

const field = (id, label, input, className = '') => h('div', { className: `field ${className}` }, h('label', { htmlFor: id }, label), input)
