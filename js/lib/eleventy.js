// Eleventy 3: eleventyConfig.addPlugin(abslink, { base: 'https://example.org/' })
import { rewrite } from 'abslink-html'
import { kindOf, site } from './site.js'

export default function abslink(eleventyConfig, given) {
  const { base, absolute } = site(given)
  if (base === undefined) throw new TypeError("abslink-html needs the URL of the site: { base: 'https://example.org/' }")

  eleventyConfig.addTransform('abslink', function (content) {
    const { outputPath, url } = this.page
    if (typeof content !== 'string' || !outputPath || !url) return content
    return absolute(content, url, kindOf(outputPath, content))
  })

  // For templates that put pages elsewhere: {{ post.content | absolute(post.url) }}
  eleventyConfig.addFilter('absolute', (html, url = '/') => rewrite(html, new URL(url, base)))
}
