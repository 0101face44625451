import type { Options } from './index.js'

/** What the adapters for sites take, besides the options of `rewrite`. */
export interface SiteOptions extends Omit<Options, 'as' | 'charset'> {
  /** The URL of the site. */
  base?: string | URL
  /** Whether pages are rewritten: true by default. */
  pages?: boolean
  /** Whether feeds and sitemaps are: true by default. */
  feeds?: boolean
}
