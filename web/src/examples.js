// The examples: each a document, the URL that it came from, and options. They are text, so nothing of them runs.

export const EXAMPLES = [
  {
    name: 'base',
    title: 'A page with <base>',
    base: 'https://www.example.org/2026/11/index.html',
    document: `<!DOCTYPE html>
<html lang="en">
<head>
  <title>Guide</title>
  <base href="/docs/3.1/">
  <link rel="stylesheet" href="../style.css?v=2">
  <meta http-equiv="refresh" content="600; url=?live">
</head>
<body>
  <!-- <a href="old.html">a comment stays</a> -->
  <p>The <a href="install.html#linux">installation</a>, the <a href="#top">top</a>,
    a <a href="//cdn.example.net/guide.pdf">copy</a>, and <a href="mailto:ann@example.org">Ann</a>.</p>
  <p>Three that are often got wrong: <a href="../../../up.html">too far up</a>,
    <a href="?page=2">only a query</a>, <a href="https:other.html">a scheme without a host</a>.</p>
  <img src="img/logo.png" alt="A logo">
  <a href="{{ page.url }}">a template's placeholder</a>
</body>
</html>
`,
  },
  {
    name: 'feed',
    title: 'A feed item',
    base: 'https://blog.example.org/feed.xml',
    options: { as: 'feed' },
    document: `<?xml version="1.0" encoding="utf-8"?>
<rss version="2.0" xmlns:content="http://purl.org/rss/1.0/modules/content/">
  <channel>
    <title>A blog</title>
    <link>/</link>
    <description>Notes</description>
    <item>
      <title>On base URLs</title>
      <link>/2026/base-urls/</link>
      <description>&lt;p>See &lt;a href="../first/?a=1&amp;amp;b=2">the first&lt;/a>.&lt;/p></description>
      <content:encoded><![CDATA[
        <p>The HTML of an item is relative to the page of the item: <a href="#notes">the notes</a>,
        <img src="diagram.png" srcset="diagram.png 1x, diagram@2x.png 2x" alt="A diagram"></p>
      ]]></content:encoded>
      <enclosure url="talk.mp3" length="1024" type="audio/mpeg"/>
    </item>
  </channel>
</rss>
`,
  },
  {
    name: 'srcset',
    title: 'srcset',
    base: 'https://shop.example.org/lamps/desk.html',
    options: { also: ['lazy', 'meta'] },
    document: `<meta property="og:image" content="/img/desk.jpg">
<picture>
  <source type="image/avif" srcset="/img/desk-480.avif 480w, /img/desk-960.avif 960w, /img/desk,large.avif 1920w">
  <img src="../img/desk.jpg" sizes="(max-width: 40em) 100vw, 40em" alt="A desk lamp"
    srcset="../img/desk.jpg 1x,
            ../img/desk@2x.jpg?q=80&amp;f=jpg 2x">
</picture>
<img data-src="lazy.jpg" data-srcset="lazy.jpg 1x, lazy@2x.jpg 2x" src="data:image/gif;base64,R0lGODlhAQABAAAAACw=" alt="">
<link rel="preload" as="image" imagesrcset="hero.webp 1x, hero@2x.webp 2x">
`,
  },
  {
    name: 'css',
    title: 'CSS',
    base: 'https://www.example.org/assets/css/site.css',
    options: { as: 'css' },
    document: `@charset "utf-8";
@import "reset.css" layer(reset);
@import url(print.css) print;
@namespace svg url(http://www.w3.org/2000/svg);

@font-face {
  font-family: Text;
  src: url("../fonts/text.woff2") format("woff2"), url(../fonts/text.woff) format("woff");
}

/* url(comment.png) stays */
.logo { background: no-repeat url( '../img/logo.svg' ) }
.hero { background-image: image-set("hero.png" 1x, url(hero@2x.png) 2x) }
.map  { filter: url(#blur); mask: url(shapes.svg#star) }
.icon { background: url(data:image/gif;base64,R0lGODlhAQABAAAAACw=) }
`,
  },
  {
    name: 'mail',
    title: 'The HTML part of a mail',
    base: 'https://mail.example.org/',
    options: { as: 'message' },
    document: `From: News <news@example.org>
To: Ann <ann@example.org>
Subject: November
MIME-Version: 1.0
Content-Type: multipart/related; boundary="part"

--part
Content-Type: text/html; charset=utf-8
Content-Transfer-Encoding: 8bit
Content-Location: https://news.example.org/2026/11/

<html><body>
<p><img src="cid:logo@example.org" alt="Logo"> <img src="photo.jpg" alt="A photo"></p>
<p>Content-Location gives the base URL (RFC 1808, section 3.2): <a href="more.html">more</a>,
<a href="../10/">October</a>, <a href="/unsubscribe?id=*|ID|*">no more</a>.</p>
</body></html>
--part
Content-Type: image/png
Content-ID: <logo@example.org>
Content-Transfer-Encoding: base64

iVBORw0KGgo=
--part--
`,
  },
  {
    name: 'mirror',
    title: 'A page of a mirror',
    base: 'https://www.example.org/wiki/start.html',
    options: { fragments: 'keep', skip: ['canonical'] },
    document: `<!-- This page was saved with its links as they were: they are relative to the site, not to a disk. -->
<html>
<head>
  <link rel="canonical" href="start.html">
  <link rel="stylesheet" href="../skin/main.css">
  <style>body { background: url(../skin/paper.png) }</style>
  <script>var next = "stays.html"</script>
</head>
<body background="../skin/old.gif">
  <ul>
    <li><a href="#history">History</a>
    <li><a href="index.php?title=Ann&action=edit">Edit</a>
    <li><a href=images/../images/photo.html>A photo</a>
    <li><a href="/wiki/./talk/start.html">Talk</a>
    <li><a href="https://www.example.org/wiki/absolute.html">Already absolute</a>
  </ul>
  <iframe srcdoc="&lt;a href=&quot;inner.html&quot;&gt;A document in a document&lt;/a&gt;"></iframe>
  <svg viewBox="0 0 9 9"><a href="map.svg"><use href="#pin"/></a></svg>
  <form action="search"><button formaction="search?all=1">Search</button></form>
</body>
</html>
`,
  },
]

/** The example with a name. */
export const example = (name) => EXAMPLES.find((example) => example.name === name)
