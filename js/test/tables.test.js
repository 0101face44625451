// What the module has smaller tables for than the command, or asks its host: encodings, character references and
// names of hosts.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { COMMAND, command, load, missing } from './project.js'

const { resolve, rewriteBytes } = await load()

const ENCODINGS = [
  'big5', 'euc-jp', 'euc-kr', 'gb18030', 'gbk', 'ibm866', 'iso-2022-jp', 'iso-8859-2', 'iso-8859-3', 'iso-8859-4',
  'iso-8859-5', 'iso-8859-6', 'iso-8859-7', 'iso-8859-8', 'iso-8859-10', 'iso-8859-13', 'iso-8859-14', 'iso-8859-15',
  'iso-8859-16', 'koi8-r', 'koi8-u', 'macintosh', 'shift_jis', 'utf-16be', 'utf-16le', 'windows-874', 'windows-1250',
  'windows-1251', 'windows-1252', 'windows-1253', 'windows-1254', 'windows-1255', 'windows-1256', 'windows-1257',
  'windows-1258', 'x-mac-cyrillic', 'x-user-defined',
]

/** References of two bytes each beyond ASCII, in paths and in queries: all of EUC, and what others make of it. */
const LEGACY = (() => {
  const links = []
  for (let lead = 0x81; lead < 0xff; lead++) {
    for (let trail = 0x40; trail < 0xff; trail += 5) {
      const odd = [0x5c, 0x60, 0x7b, 0x7c, 0x7d, 0x7e, 0x7f].includes(trail)
      if (!odd) links.push('<a href="x', [lead, trail], '?y', [lead, trail], '&eacute;&notin;&NotEqualTilde;">')
    }
  }
  return Buffer.concat(links.map((part) => Buffer.from(part)))
})()

for (const charset of ENCODINGS) {
  test(`${charset}: the command's bytes`, { skip: missing(COMMAND) }, () => {
    for (const resolver of ['rfc1808', 'whatwg']) {
      const given = ['rewrite', '-q', '-b', 'http://h/', '--charset', charset, '--resolver', resolver, '-']
      const { code, stdout, stderr } = command(given, LEGACY)
      let ours
      try {
        ours = Buffer.from(rewriteBytes(LEGACY, 'http://h/', { charset, resolver }))
      } catch (error) {
        assert.equal(error.code, 'encoding')
        assert.equal(code, 2, stderr)
        continue
      }
      assert.ok(ours.equals(stdout), resolver)
    }
  })
}

const HOSTS = [
  'EXAMPLE.org', 'bücher.example', 'BÜCHER.example', 'faß.de', 'ΒΌΛΟΣ.com', 'βόλος.com', '日本語。ＪＰ', '☕.example',
  'xn--bcher-kva.example', 'XN--BCHER-KVA.example', 'xn--a', 'xn--', 'a\u00adb', '\u00ad', '１.２.３.４', '０x7f.1',
  'a％b', 'a／b', 'a＠b', 'ex%41mple', 'b%C3%BCcher', 'b%FCcher', '%00', 'a%2fb', 'a..b', 'é..b', '-é-', 'a_b', 'é_b',
  // Not 1א: Node does not look whether text from right to left begins with a digit.
  'أهلا.com', 'א1', 'é'.repeat(100), 'a'.repeat(300), '\u0301a', 'क\u094d\u200dष', 'a\u200db', '1.2.3.4', '0x7f.1',
  '256.256.256.256', 'é:81', 'é:80', 'u:p@é', '[::1]', 'é]',
]

test("names of hosts: the command's", { skip: missing(COMMAND) }, () => {
  for (const host of HOSTS) {
    const reference = `http://${host}/x`
    const { code, stdout } = command(['resolve', '-b', 'http://h/', '--resolver', 'whatwg', reference])
    let ours = null
    try {
      ours = resolve('http://h/', reference, { resolver: 'whatwg' })
    } catch (error) {
      assert.equal(error.code, 'unresolved', host)
    }
    assert.equal(ours, code === 0 ? stdout.toString().trimEnd() : null, host)
  }
})
