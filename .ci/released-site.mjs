// Rewrites each document of a site with the package that is installed here, and compares it with what it should become:
// `node released-site.mjs SITE BASE`, where SITE has `in` and `out`.
import { strictEqual } from 'node:assert'
import { readFileSync, readdirSync } from 'node:fs'
import { join, sep } from 'node:path'
import { rewriteBytes } from 'abslink-html'

const [site, base] = process.argv.slice(2)
let documents = 0
for (const name of readdirSync(join(site, 'in'), { recursive: true })) {
  if (!/\.(x?html?)(@.*)?$/.test(name)) continue
  // What a path may have stays, as the command spells it.
  const path = encodeURI(name.split(sep).join('/')).replace(/[?#]/g, encodeURIComponent)
  const url = base + path.replace(/(^|\/)index\.html?$/, '$1')
  const given = readFileSync(join(site, 'in', name))
  const output = rewriteBytes(given, url, { as: name.endsWith('.xhtml') ? 'xhtml' : 'html' })
  strictEqual(Buffer.from(output).toString('latin1'), readFileSync(join(site, 'out', name)).toString('latin1'), name)
  documents++
}
if (documents === 0) throw new Error(`there is no document in ${site}`)
console.log(`installed in an empty project: rewrote the ${documents} documents of the site`)
