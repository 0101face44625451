// Vite: plugins: [abslink({ base: 'https://example.org/' })]
import { site } from './site.js'

export default function abslink(given) {
  const { absolute } = site(given)
  return {
    name: 'abslink-html',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler: (html, { path }) => absolute(html, path.replace(/(^|\/)index\.html$/, '$1'), 'html'),
    },
  }
}
