import type { SiteOptions } from './site.js'

/**
 * A plugin for Eleventy 3. It rewrites pages, feeds and sitemaps, and adds the filter `absolute`, which takes
 * HTML and the URL of its page.
 */
export default function abslink(eleventyConfig: unknown, options: SiteOptions & { base: string | URL }): void
