export const GET = () =>
  new Response(`<?xml version="1.0"?>
<rss version="2.0"><channel><title>Pages</title><link>/</link><description>All</description>
<item><title>One</title><link>/posts/one/</link><description>&lt;a href="../../"&gt;back&lt;/a&gt;</description></item></channel></rss>`)
