// How one reference was resolved: where it is, which base URL it has and why, and each step.

import { resolveCommand } from './command.js'
import { copy, h, words } from './dom.js'
import { OUTCOMES, place } from './list.js'

/** Where the base URL comes from: the section of RFC 1808, and what that means here. */
const SOURCES = {
  embedded: ['3.1', 'the document itself says so: <base href> in HTML, xml:base in a feed'],
  entity: ['3.2', 'what the document is in says so: a part of a message, or the item of a feed'],
  layout: ['3.3', 'the URL that the document comes from, given above'],
  self: ['3.3', 'the URL that the feed gives for itself'],
  none: ['3.4', 'nothing gives one, so the reference stays'],
}

/** Why a reference stays as it is. */
const REASONS = {
  relative: 'it has the form that was asked for',
  absolute: 'it is absolute already',
  'same-document': 'it leads to a place in the same document',
  unresolved: 'it cannot be resolved',
  excluded: 'an option leaves it alone',
  present: 'its target is there, as it was saved with the document',
  'windows-path': 'it is the path of a file on Windows, and no URL leads there',
  placeholder: 'it begins with a placeholder, and only the template knows what that becomes',
}

const RESOLVERS = { rfc1808: 'RFC 1808', rfc3986: 'RFC 3986', whatwg: 'URL Standard (browsers)' }

const COMPONENTS = ['scheme', 'net_loc', 'path', 'params', 'query', 'fragment']

const url = (text) => h('code', { className: 'url' }, text)

/** Shows the explanation of a reference, which `how` of worker.js has made. */
export function show(host, details, options) {
  const [section, why] = SOURCES[details.baseFrom] ?? ['3.3', `it was recorded (${details.baseFrom})`]
  const resolver = options.resolver ?? 'rfc1808'
  const facts = [
    ['Reference', url(details.reference || '(empty)')],
    ['Where', h('span', {}, `line ${details.line}, column ${details.column}: `, h('code', {}, place(details)), ` (${details.kind})`)],
    ['Base URL', details.base === null ? 'none' : url(details.base)],
    ['From', h('span', {}, h('b', {}, `RFC 1808, section ${section}: `), why)],
  ]
  if (details.becomes !== null) facts.push(['Becomes', url(details.becomes)])
  else facts.push(['Stays', REASONS[details.outcome] ?? 'it is what it was'])
  if (details.divergent !== undefined) facts.push(['A browser gets', details.divergent === '' ? 'no URL at all' : url(details.divergent)])
  const rows = facts.map(([name, value]) => [h('dt', {}, name), h('dd', {}, value)])
  host.replaceChildren(h('dl', {}, rows.flat()), ...explained(details, resolver))
}

function explained(details, resolver) {
  if (!details.explained) return []
  const { steps, components, compare } = details.explained
  const why = compare.find((by) => by.resolver === 'rfc1808')?.class
  return [
    h('h3', {}, 'Step by step, by RFC 1808, section 4'),
    ...(resolver === 'rfc1808' ? [] : [h('p', { className: 'soft' }, `${RESOLVERS[resolver]} was chosen as the resolver; this is what RFC 1808 does.`)]),
    h('div', { className: 'wide' }, parts(components)),
    h('ol', { className: 'steps' }, steps.map(({ step, text }) => h('li', {}, h('b', {}, step), h('span', {}, text)))),
    h('h3', {}, 'What each resolver says'),
    h('div', { className: 'wide compare' }, comparison(compare, resolver)),
    ...(why ? [h('p', { className: 'note' }, `Browsers differ from RFC 1808 here (${why.name}): ${why.explanation}.`)] : []),
    ...command(details),
  ]
}

/** The components of both URLs, as section 2.4 takes them apart, in the order in which a URL has them. */
function parts({ base, reference }) {
  const names = COMPONENTS.filter((name) => base[name] || reference[name])
  const cell = (text) => h('td', {}, text ? h('code', {}, text) : h('span', { className: 'soft' }, text === null ? 'none' : 'empty'))
  return h(
    'table',
    {},
    h('caption', {}, 'Components (section 2.4)'),
    h('thead', {}, h('tr', {}, ['', 'base URL', 'reference'].map((name) => (name ? h('th', { scope: 'col' }, name) : h('td', {}))))),
    h('tbody', {}, names.map((name) => h('tr', {}, h('th', { scope: 'row' }, name), cell(base[name]), cell(reference[name])))),
  )
}

function comparison(compare, resolver) {
  const first = compare.find((by) => by.resolver === 'rfc1808')?.absolute
  const row = (by) => [
    h('th', { scope: 'row' }, RESOLVERS[by.resolver], by.resolver === resolver && h('span', { className: 'soft' }, ' (chosen)')),
    h('td', {}, by.absolute === null ? h('span', { className: 'soft' }, by.error) : url(by.absolute)),
    h('td', { className: 'number' }, by.resolver === 'rfc1808' ? '' : by.absolute === first ? 'the same' : h('b', { className: 'differs' }, 'differs')),
  ]
  return h('table', {}, h('tbody', {}, compare.map((by) => h('tr', {}, row(by)))))
}

function command({ isWhole, base, reference }) {
  if (!isWhole) return []
  const line = resolveCommand(base, reference)
  const button = h('button', { type: 'button', onclick: () => copy(button, line) }, 'Copy')
  return [h('div', { className: 'head' }, h('h3', {}, 'On the command line'), button), h('pre', { tabIndex: 0, role: 'region', 'aria-label': 'Command for this reference' }, ...words(line))]
}
