import abslink from 'abslink-html/eleventy'

export default (eleventyConfig) => {
  eleventyConfig.addPlugin(abslink, { base: 'https://blog.example.org/' })
  eleventyConfig.addPassthroughCopy('src/style.css')
  eleventyConfig.addCollection('posts', (collection) => collection.getFilteredByGlob('src/posts/*.md'))
}

export const config = { dir: { input: 'src', output: '_site' } }
