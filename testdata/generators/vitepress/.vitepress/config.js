export default {
  title: 'T',
  ignoreDeadLinks: true,
  head: [['link', { rel: 'stylesheet', href: '/css/extra.css' }]],
  themeConfig: {
    nav: [{ text: 'Install', link: '/guide/install/' }],
    sidebar: [{ text: 'Notes', link: '/guide/notes' }],
  },
}
