import type { SiteOptions } from './site.js'

/** A plugin for Vite, which rewrites each page of a build. */
export default function abslink(options: Omit<SiteOptions, 'feeds' | 'pages'> & { base: string | URL }): {
  name: string
  apply: 'build'
  transformIndexHtml: { order: 'post'; handler(html: string, context: { path: string }): string }
}
