// The list of references, a page of it at a time.

import { counted, formatted, h } from './dom.js'

const COUNT = 50

/** What became of a reference, in words. */
export const OUTCOMES = {
  relative: 'made absolute',
  absolute: 'was absolute',
  'same-document': 'stays in the page',
  unresolved: 'not resolved',
  excluded: 'excluded',
  present: 'left',
  placeholder: 'placeholder',
  'windows-path': 'path of Windows',
}

export class List {
  #host
  #filter
  #engine
  #picked
  #rows = []
  #from = 0
  #total = 0
  #selected = null

  /** `picked` is called with a row that somebody chose. */
  constructor(host, filter, engine, picked) {
    this.#host = host
    this.#filter = filter
    this.#engine = engine
    this.#picked = picked
    filter.addEventListener('change', () => this.#load(0))
    host.addEventListener('click', (event) => {
      const button = event.target.closest('button[data-number]')
      const row = button && this.#rows.find((row) => row.number === Number(button.dataset.number))
      if (row) this.#pick(row)
    })
    host.addEventListener('keydown', (event) => this.#key(event))
  }

  /** Shows the references of a new result. */
  async show(counts, total, selected) {
    const before = this.#filter.value || 'all'
    const choices = [['all', `all ${formatted(total)}`]]
    for (const [outcome, words] of Object.entries(OUTCOMES)) {
      if (counts[outcome]) choices.push([outcome, `${words}: ${formatted(counts[outcome])}`])
    }
    if (counts.divergent) choices.push(['divergent', `browsers differ: ${formatted(counts.divergent)}`])
    this.#filter.replaceChildren(...choices.map(([value, text]) => h('option', { value }, text)))
    this.#filter.value = choices.some(([value]) => value === before) ? before : 'all'
    this.#selected = selected
    return this.#load(this.#from, selected ?? undefined)
  }

  /** Shows nothing, since there is no result. */
  clear() {
    this.#rows = []
    this.#host.replaceChildren(h('p', { className: 'soft' }, 'Nothing yet.'))
    this.#filter.replaceChildren(h('option', { value: 'all' }, 'all'))
  }

  /** Shows a reference that was chosen elsewhere; a filter that leaves it out is taken away. */
  async select(number) {
    this.#selected = number
    await this.#load(this.#from, number)
    let row = this.#rows.find((row) => row.number === number)
    if (!row && this.#filter.value !== 'all') {
      this.#filter.value = 'all'
      await this.#load(0, number)
      row = this.#rows.find((row) => row.number === number)
    }
    return row ?? null
  }

  async #load(from, reference) {
    const given = { filter: this.#filter.value, from, count: COUNT, reference }
    let { rows, total, from: at } = await this.#engine.do('rows', given)
    if (rows.length === 0 && at > 0) ({ rows, total, from: at } = await this.#engine.do('rows', { ...given, from: 0 }))
    this.#rows = rows
    this.#total = total
    this.#from = at
    this.#draw()
    return rows.find((row) => row.number === reference) ?? rows[0] ?? null
  }

  #pick(row, isFocused = false) {
    this.#selected = row.number
    for (const button of this.#host.querySelectorAll('button[data-number]')) {
      const is = Number(button.dataset.number) === row.number
      button.tabIndex = is ? 0 : -1
      button.setAttribute('aria-current', is)
      button.closest('tr').classList.toggle('selected', is)
      if (is && isFocused) button.focus()
    }
    this.#picked(row)
  }

  /** The arrow keys go from row to row, as in a list box, so that Tab leads past the list. */
  #key(event) {
    const steps = { ArrowDown: 1, ArrowUp: -1, Home: -Infinity, End: Infinity }
    if (!(event.key in steps) || !event.target.matches('button[data-number]')) return
    event.preventDefault()
    const now = this.#rows.findIndex((row) => row.number === Number(event.target.dataset.number))
    const to = Math.max(0, Math.min(this.#rows.length - 1, now + steps[event.key]))
    this.#pick(this.#rows[to], true)
  }

  #draw() {
    const rows = this.#rows
    if (rows.length === 0) {
      this.#host.replaceChildren(h('p', { className: 'soft' }, 'There are no references.'))
      return
    }
    const current = rows.some((row) => row.number === this.#selected) ? this.#selected : rows[0].number
    const column = (name, className = '') => h('th', { scope: 'col', className }, name)
    const head = h('tr', {}, column('Line', 'wide-only'), column('Where', 'wide-only'), column('Reference'), column('Outcome'))
    const table = h(
      'table',
      {},
      h('caption', {}, 'Choose one to see how it was resolved; the arrow keys go from one to the next.'),
      h('thead', {}, head),
      h('tbody', {}, rows.map((row) => this.#row(row, current))),
    )
    this.#host.replaceChildren(h('div', { className: 'scroll' }, table), ...(this.#total > COUNT ? [this.#pages()] : []))
  }

  #row(row, current) {
    const is = row.number === current
    const isSelected = row.number === this.#selected
    const at = `${row.line}:${row.column}`
    const button = h('button', { type: 'button', 'data-number': row.number, tabIndex: is ? 0 : -1, 'aria-current': String(isSelected) }, row.reference || '(empty)')
    return h(
      'tr',
      { className: isSelected ? 'selected' : '' },
      h('td', { className: 'number wide-only' }, at),
      h('td', { className: 'wide-only' }, h('code', {}, place(row))),
      h('td', { className: 'reference' }, button, h('span', { className: 'narrow-only soft' }, `${at} · ${place(row)}`)),
      h('td', {}, h('span', { className: `outcome ${row.outcome}` }, OUTCOMES[row.outcome]), row.divergent !== undefined && h('span', { className: 'outcome divergent' }, 'browsers differ')),
    )
  }

  #pages() {
    const last = Math.min(this.#from + COUNT, this.#total)
    const button = (text, from) => h('button', { type: 'button', disabled: from < 0 || from >= this.#total, onclick: () => this.#load(from) }, text)
    return h(
      'p',
      { className: 'pages' },
      button('Before', this.#from === 0 ? -1 : Math.max(0, this.#from - COUNT)),
      `${formatted(this.#from + 1)} to ${formatted(last)} of ${counted(this.#total, 'reference')}`,
      button('After', this.#from + COUNT),
    )
  }
}

/** Where a reference is: its element and attribute. */
export const place = ({ element, attribute }) => (attribute ? `${element} ${attribute}` : element || 'text')
