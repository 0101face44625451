// The two editors: the document, and what becomes of it as a diff. They are in shadow roots, where an editor's
// styles are style sheets made by script, which the page's policy allows; in the page itself they would be <style>.

import { defaultKeymap, history, historyKeymap } from '@codemirror/commands'
import { css } from '@codemirror/lang-css'
import { html } from '@codemirror/lang-html'
import { xml } from '@codemirror/lang-xml'
import { HighlightStyle, syntaxHighlighting } from '@codemirror/language'
import { Change, diff, unifiedMergeView } from '@codemirror/merge'
import { EditorState, StateEffect, StateField } from '@codemirror/state'
import { Decoration, EditorView, drawSelection, keymap, lineNumbers } from '@codemirror/view'
import { tags } from '@lezer/highlight'

const theme = EditorView.theme({
  '&': { height: '100%', color: 'var(--ink)', backgroundColor: 'var(--page)', fontSize: '.8125rem' },
  '&.cm-focused': { outline: '3px solid var(--link)', outlineOffset: '-3px' },
  '.cm-scroller': { fontFamily: 'var(--mono)', lineHeight: '1.55', overflow: 'auto' },
  '.cm-gutters': { backgroundColor: 'var(--panel)', color: 'var(--soft)', borderRight: '1px solid var(--line)' },
  '.cm-content': { caretColor: 'var(--ink)', overflowWrap: 'anywhere' },
  '.cm-cursor': { borderLeftColor: 'var(--ink)' },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground': { background: 'var(--selection)' },
  '.cm-reference': { outline: '2px solid var(--link)', outlineOffset: '1px', borderRadius: '2px' },
  '.cm-changeGutter': { width: '3px', padding: '0' },
  '&.cm-merge-b .cm-changedLineGutter, .cm-inlineChangedLineGutter': { background: 'var(--done)' },
  '&.cm-merge-b .cm-changedLine, .cm-inlineChangedLine': { backgroundColor: 'var(--changed-line)' },
  '&.cm-merge-b .cm-changedText': { background: 'var(--added-page)', color: 'var(--added)', borderRadius: '2px' },
  '&.cm-merge-b .cm-deletedText': { background: 'var(--removed-page)', color: 'var(--removed)', textDecoration: 'line-through', borderRadius: '2px' },
  '.cm-deletedChunk': { backgroundColor: 'var(--removed-page)', color: 'var(--removed)' },
  '.cm-collapsedLines': { color: 'var(--soft) !important', background: 'var(--panel) !important', padding: '.1rem .6rem' },
})

// Colours of the document take nothing away from those of its changes.
const colours = HighlightStyle.define([
  { tag: [tags.tagName, tags.keyword, tags.definitionKeyword], color: 'var(--code-name)' },
  { tag: [tags.attributeName, tags.propertyName, tags.className], color: 'var(--code-attribute)' },
  { tag: [tags.comment, tags.processingInstruction, tags.documentMeta], color: 'var(--code-comment)' },
])

const LANGUAGES = { html, xhtml: xml, feed: xml, css }

const setReference = StateEffect.define()
const referenceMark = Decoration.mark({ class: 'cm-reference' })

/** The reference that is looked at. */
const reference = StateField.define({
  create: () => Decoration.none,
  update(marks, transaction) {
    for (const effect of transaction.effects) {
      if (!effect.is(setReference)) continue
      const { from, to } = effect.value ?? {}
      return from < to && to <= transaction.newDoc.length ? Decoration.set(referenceMark.range(from, to)) : Decoration.none
    }
    return marks.map(transaction.changes)
  },
  provide: (field) => EditorView.decorations.from(field),
})

/** A diff that is known already; anything else is compared, which happens only to what is short. */
function known(a, b, changes) {
  const all = changes.map(({ fromA, toA, fromB, toB }) => new Change(fromA, toA, fromB, toB))
  return (one, other) => (one === a && other === b ? all : diff(one, other, { scanLimit: 500 }))
}

export class Panes {
  #source
  #result
  #part = null
  #kind = 'html'
  #isChangesOnly = false

  /** `edited` is called with the new text, and `picked` with a place in the document on which somebody clicked. */
  constructor(source, result, { edited, picked, large }) {
    this.#source = view(source)
    this.#result = view(result)
    this.edited = edited
    this.picked = picked
    this.large = large
    this.show({ number: 0, line: 1, a: '', b: '', changes: [] }, { kind: 'html', isEditable: true })
  }

  #shared(line, label) {
    return [
      lineNumbers({ formatNumber: (number) => String(number + line - 1) }),
      drawSelection(),
      keymap.of([...defaultKeymap, ...historyKeymap]),
      LANGUAGES[this.#kind]?.() ?? [],
      syntaxHighlighting(colours),
      EditorView.lineWrapping,
      EditorView.contentAttributes.of({ 'aria-label': label, spellcheck: 'false', tabindex: '0' }),
      reference,
      theme,
    ]
  }

  #sourceState(part, isEditable) {
    return EditorState.create({
      doc: part.a,
      extensions: [
        ...this.#shared(part.line, 'Document'),
        isEditable ? history() : EditorState.readOnly.of(true),
        EditorView.updateListener.of((update) => {
          if (update.docChanged) this.edited(update.state.doc.toString())
        }),
        EditorView.domEventHandlers({
          paste: (event, view) => {
            const text = event.clipboardData?.getData('text/plain') ?? ''
            const { main } = view.state.selection
            const isAll = main.from === 0 && main.to === view.state.doc.length
            if (text === '' || !this.large(text, isAll)) return false
            event.preventDefault()
            return true
          },
          click: (event, view) => {
            const position = view.posAtCoords(event)
            if (position !== null && view.state.selection.main.empty) this.picked(this.#part.number, position)
            return false
          },
        }),
      ],
    })
  }

  #resultState(part) {
    return EditorState.create({
      doc: part.b,
      extensions: [
        ...this.#shared(part.line, 'Result'),
        EditorState.readOnly.of(true),
        unifiedMergeView({
          original: part.a,
          mergeControls: false,
          allowInlineDiffs: true,
          syntaxHighlightDeletions: false,
          diffConfig: { override: known(part.a, part.b, part.changes) },
          collapseUnchanged: this.#isChangesOnly ? { margin: 1, minSize: 3 } : undefined,
        }),
      ],
    })
  }

  /** Shows a part. If the document is what the editor has, that stays as it is, with its history. */
  show(part, { kind, isEditable }) {
    const isSame = this.#part !== null && this.#kind === kind && this.#source.state.readOnly !== isEditable && this.#source.state.doc.toString() === part.a
    this.#part = part
    this.#kind = kind
    if (!isSame) this.#source.setState(this.#sourceState(part, isEditable))
    this.#showResult(isSame)
  }

  #showResult(isSame) {
    const { scrollTop } = this.#result.scrollDOM
    this.#result.setState(this.#resultState(this.#part))
    if (isSame) this.#result.scrollDOM.scrollTop = scrollTop
  }

  /** Whether lines without a change are left out of the result. */
  set isChangesOnly(is) {
    this.#isChangesOnly = is
    this.#showResult(true)
  }

  /** Marks a reference, and scrolls to it. */
  select(place, isScrolled = true) {
    mark(this.#source, place && { from: place.fromA, to: place.toA }, isScrolled)
    mark(this.#result, place && { from: place.fromB, to: place.toB }, isScrolled)
  }

  focus() {
    this.#source.focus()
  }
}

function view(host) {
  const root = host.attachShadow({ mode: 'open' })
  const view = new EditorView({ root, parent: root })
  return view
}

function mark(view, place, isScrolled) {
  const effects = [setReference.of(place)]
  if (place && isScrolled && place.to <= view.state.doc.length) {
    effects.push(EditorView.scrollIntoView(place.from, { y: 'center' }))
  }
  view.dispatch({ effects })
}
