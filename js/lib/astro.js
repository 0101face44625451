// Astro: integrations: [abslink()], with the site's URL in `site` of its configuration.
import { readFile, readdir, writeFile } from 'node:fs/promises'
import { join, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { kindOf, site } from './site.js'

export default function abslink(given) {
  const { base, absolute } = site(given)
  let root = base
  return {
    name: 'abslink-html',
    hooks: {
      'astro:config:done': ({ config }) => {
        if (root === undefined && config.site) root = new URL(`${config.base.replace(/\/?$/, '/')}`, config.site)
      },
      'astro:build:done': async ({ dir, logger }) => {
        const top = fileURLToPath(dir)
        let changed = 0
        for (const entry of await readdir(top, { recursive: true, withFileTypes: true })) {
          const path = join(entry.parentPath, entry.name)
          if (!entry.isFile() || !/\.(html?|xml|rss|atom)$/i.test(path)) continue
          const text = await readFile(path, 'utf8')
          const below = path.slice(top.length).split(sep).map(encodeURIComponent).join('/')
          const now = absolute(text, below.replace(/(^|\/)index\.html$/, '$1'), kindOf(path, text), root)
          if (now === text) continue
          await writeFile(path, now)
          changed++
        }
        logger.info(`references made absolute in ${changed} files`)
      },
    },
  }
}
