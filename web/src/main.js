// The page: it hands what somebody does to the engine, and shows what that says.

import { rewriteCommand } from './command.js'
import { show as showDetails } from './details.js'
import { $, copy, counted, formatted, h, length, words } from './dom.js'
import { Engine } from './engine.js'
import { EXAMPLES, example } from './examples.js'
import { Form } from './form.js'
import { LONGEST, readFragment, writeFragment } from './fragment.js'
import { KINDS, kindOf } from './kinds.js'
import { List } from './list.js'
import { Panes } from './panes.js'
import { EDITABLE } from './parts.js'

/** How long nobody types before the document is done again, and the URL is changed, in milliseconds. */
const TYPED = 150
const SHARED = 400

/** What the page shows. */
const state = {
  /** The document; null if only the worker has it, since it is a file that is long or not in UTF-8. */
  source: '',
  /** The name of its file. */
  file: null,
  /** The name of the example that it is. */
  example: null,
  selected: null,
  /** What the engine has said of it, if it could be done. */
  done: null,
  part: 0,
}

const engine = new Engine()
const form = new Form($('main-options'), $('more-options'), () => soon())
const list = new List($('list'), $('filter'), engine, (row) => select(row))
const panes = new Panes($('source'), $('result'), { edited, picked, large })

let [isWorking, isWanted, isNew, timer, shareTimer] = [false, false, true, 0, 0]

function say(text, isWrong = false) {
  $('status').textContent = text
  $('status').classList.toggle('wrong', isWrong)
}

/** Does the document again as soon as nobody types. */
function soon(wait = TYPED) {
  clearTimeout(timer)
  document.body.setAttribute('aria-busy', 'true')
  timer = setTimeout(work, wait)
}

/** Does the document, and once more if it has changed meanwhile. */
async function work() {
  isWanted = true
  if (isWorking) return
  isWorking = true
  while (isWanted) {
    isWanted = false
    const given = { base: form.base, options: form.options, source: isNew ? state.source : undefined }
    isNew = false
    document.body.setAttribute('aria-busy', 'true')
    try {
      if (given.base === '') throw new Error('Give a base URL: the one that the document comes from.')
      if (form.changesNothing) throw new Error('More options say what moves: all else keeps its form.')
      const done = await engine.do('work', given)
      if (!isWanted) await show(done)
    } catch (error) {
      // The engine has not been given the document if there is no base URL.
      if (given.source !== undefined) isNew = true
      await failed(error)
    }
  }
  document.body.removeAttribute('aria-busy')
  isWorking = false
}

async function failed(error) {
  state.done = null
  say(error.message, true)
  form.isBaseWrong = error.code === 'base' || form.base === ''
  list.clear()
  $('details').replaceChildren()
  $('result-facts').textContent = ''
  $('parts').hidden = true
  if (state.source !== null && state.source.length <= EDITABLE) {
    panes.show({ number: 0, line: 1, a: shownText(), b: '', changes: [] }, { kind: form.options.as ?? 'html', isEditable: true })
  }
  for (const id of ['copy', 'download']) $(id).disabled = true
  about()
}

/** The document as the editor has it. */
const shownText = () => state.source.replace(/\r\n?/g, '\n')

async function show(done) {
  state.done = done
  form.isBaseWrong = false
  const { counts, bytes } = done
  const left = counts.unresolved ? `, ${formatted(counts.unresolved)} not resolved` : ''
  const differ = counts.divergent ? `; browsers differ in ${formatted(counts.divergent)}` : ''
  say(`${counted(done.changes, 'change')} in ${counted(done.references, 'reference')}${left}${differ}. ${length(bytes[0])} in ${Math.max(1, Math.round(done.milliseconds))} ms.`)
  $('source-facts').textContent = [KINDS[form.options.as ?? 'html'].name, length(bytes[0]), done.encoding === 'utf-8' ? null : done.encoding].filter(Boolean).join(' · ')
  $('result-facts').textContent = length(bytes[1])
  for (const id of ['copy', 'download']) $(id).disabled = false
  if (state.selected !== null && state.selected >= done.references) state.selected = null
  const row = await list.show(counts, done.references, state.selected)
  await showPart(Math.min(state.selected !== null && row ? row.part : state.part, done.parts - 1))
  if (row) await explain(row, false)
  else $('details').replaceChildren(h('p', { className: 'soft' }, 'There is no reference to explain.'))
  about()
}

async function showPart(number) {
  state.part = number
  const { done } = state
  const part = await engine.do('part', { number })
  panes.show(part, { kind: form.options.as ?? 'html', isEditable: done.isEditable })
  $('parts').hidden = done.parts === 1
  $('part-now').textContent = `Part ${formatted(number + 1)} of ${formatted(done.parts)}, from line ${formatted(part.line)}`
  $('part-before').disabled = number === 0
  $('part-after').disabled = number === done.parts - 1
}

/** Shows a row that somebody chose. */
async function select(row) {
  state.selected = row.number
  if (row.part !== state.part) await showPart(row.part)
  await explain(row, true)
  share()
}

async function explain(row, isScrolled) {
  panes.select(row.part === state.part ? row.place : null, isScrolled)
  showDetails($('details'), await engine.do('how', { number: row.number }), form.options)
}

/** Somebody clicked into the document. */
async function picked(part, position) {
  if (!state.done) return
  const number = await engine.do('at', { part, position })
  const row = number === null ? null : await list.select(number)
  if (!row) return
  state.selected = number
  await explain(row, false)
  share()
}

/** Somebody typed. A document whose lines end with CR LF keeps that. */
function edited(text) {
  const isCrlf = state.source !== null && /^[^\n]*\r\n/.test(state.source)
  take(isCrlf ? text.replaceAll('\n', '\r\n') : text, { file: state.file, isSelectedKept: true })
  soon()
}

/** A text was pasted that is the whole document, or too long to be edited. Says whether it is taken here. */
function large(text, isAll) {
  if (!isAll && text.length <= EDITABLE) return false
  if (isAll) form.kind = kindOf(text)
  if (!isAll) say('What was pasted is long, so it has replaced the document.')
  take(text, {})
  work()
  return true
}

/** Takes a document. */
function take(source, { file = null, example = null, isSelectedKept = false }) {
  state.source = source
  state.file = file
  state.example = example
  isNew = true
  if (!isSelectedKept) {
    state.selected = null
    state.part = 0
  }
}

function takeExample(name) {
  const { document, base, options = {} } = example(name)
  form.set(base, options)
  take(document, { example: name })
  return work()
}

/** Takes a file, which the worker reads: a long one would take this thread too long. */
async function takeFile(file) {
  const { start, text } = await engine.do('open', { file, most: EDITABLE })
  form.kind = kindOf(start, file.name)
  take(text, { file: file.name })
  isNew = false
  return work()
}

/** The command line, and the examples' buttons. */
function about() {
  const options = state.done?.options ?? form.options
  const name = state.file ?? KINDS[options.as ?? 'html'].file
  $('command').replaceChildren(...words(rewriteCommand(form.base, options, name)))
  $('more-count').textContent = form.moreCount > 0 ? `(${form.moreCount} set)` : ''
  for (const button of $('examples').querySelectorAll('button')) button.setAttribute('aria-pressed', button.value === state.example)
  share()
}

/** Puts the state into the URL's fragment. */
function share() {
  clearTimeout(shareTimer)
  shareTimer = setTimeout(async () => {
    const { source, example, selected } = state
        const fragment = await writeFragment({ example, text: source, base: form.base, options: form.options, selected })
    $('copy-link').disabled = fragment === null
    if (fragment === null) {
      $('share').textContent = `The document is too long for a link, which may have ${formatted(LONGEST)} characters. Share the file and the command instead.`
      history.replaceState(null, '', location.pathname + location.search)
    } else {
      $('share').textContent = 'The document, the base URL and the options are in the part of the URL behind #, which is not sent to any server.'
      if (location.hash !== `#${fragment}`) history.replaceState(null, '', `#${fragment}`)
    }
  }, SHARED)
}

/** Takes the state from the URL's fragment; says whether it has one. */
async function open() {
  try {
    const given = await readFragment(location.hash.slice(1))
    if (!given) return false
    form.set(given.base, given.options)
    take(given.text, { example: given.example })
    state.selected = given.selected
    await work()
    return true
  } catch (error) {
    say(`The link cannot be read: ${error.message}`, true)
    return true
  }
}

/** The result as a file for the browser to keep. */
async function download() {
  const bytes = await engine.do('result')
  const { file, media } = KINDS[form.options.as ?? 'html']
  // What is downloaded is never opened here, so that its type does not matter to this page.
  const href = URL.createObjectURL(new Blob([bytes], { type: media }))
  h('a', { href, download: state.file ?? file }).click()
  setTimeout(() => URL.revokeObjectURL(href), 10_000)
}

function listen() {
  $('form').addEventListener('submit', (event) => event.preventDefault())
  $('copy').addEventListener('click', async () => copy($('copy'), await engine.do('text')))
  $('download').addEventListener('click', download)
  $('copy-command').addEventListener('click', () => copy($('copy-command'), $('command').textContent))
  $('copy-link').addEventListener('click', () => copy($('copy-link'), location.href))
  $('changes-only').addEventListener('change', (event) => (panes.isChangesOnly = event.target.checked))
  $('part-before').addEventListener('click', () => showPart(state.part - 1))
  $('part-after').addEventListener('click', () => showPart(state.part + 1))
  $('file').addEventListener('change', ({ target }) => target.files[0] && takeFile(target.files[0]).then(() => (target.value = '')))
  window.addEventListener('hashchange', open)
  // A file may be dropped anywhere; the browser would leave this page to show it.
  window.addEventListener('dragover', (event) => {
    if (!event.dataTransfer.types.includes('Files')) return
    event.preventDefault()
    document.body.classList.add('dropping')
  })
  window.addEventListener('dragleave', (event) => event.relatedTarget === null && document.body.classList.remove('dropping'))
  window.addEventListener('drop', (event) => {
    document.body.classList.remove('dropping')
    const [file] = event.dataTransfer.files
    if (!file) return
    event.preventDefault()
    takeFile(file)
  }, true)
}

$('examples').append(
  h('span', { className: 'soft' }, 'Examples:'),
  ...EXAMPLES.map(({ name, title }) => h('button', { type: 'button', value: name, 'aria-pressed': 'false', onclick: () => takeExample(name) }, title)),
)
listen()
try {
  await engine.ready
  if (!(await open())) await takeExample('base')
  document.body.dataset.ready = ''
} catch (error) {
  say(`This page does not work in this browser: ${error.message}`, true)
}
