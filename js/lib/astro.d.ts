import type { SiteOptions } from './site.js'

/** An integration for Astro, which rewrites the pages, feeds and sitemaps of a build. `base` is by default the
 * `site` of Astro's configuration, with its `base`. */
export default function abslink(options?: SiteOptions): {
  name: string
  hooks: {
    'astro:config:done'(given: { config: { site?: string; base: string } }): void
    'astro:build:done'(given: { dir: URL; logger: { info(message: string): void } }): Promise<void>
  }
}
