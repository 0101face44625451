// Documents of every kind, generated from a seed, as python/tests/generated.py does.

const REFERENCES = [
  'g', './g', '../g', '../../../g', 'g/./h', 'g;x=1/../y', '?y', 'g?y/./x', '#s', 'g#s/../x', '', '//g/h', '/a/./b',
  'http://x/y', 'http:g', 'mailto:a@b', 'javascript:void(0)', ' g ', 'a\tb', 'a&amp;b', 'a&#47;b', 'é', '日本', '%2e%2e/g',
  'data:text/html,<a>', '\\g', 'tel:1', 'g:h:i', '{{ g }}', 'g/{{ h }}', '\u{1f600}', '\u{10ffff}',
]
const PLACES = [
  '<a href="{}">', '<a href={}>', "<img src='{}' alt=x>", '<img srcset="{} 1x, {} 2x">', "<link rel=x href='{}'>",
  "<link rel=canonical href='{}'>", '<p style="background:url({})">', "<style>@import '{}'; p { x: url( {} ) }</style>",
  "<script src='{}'></script>", '<meta http-equiv=refresh content="3; url={}">', "<form action='{}'><button formaction='{}'></form>",
  "<svg><use xlink:href='{}'/><a href='{}'></a></svg>", "<table background='{}'><tr><td><a href='{}'>",
  "<noscript><img src='{}'></noscript>", "<template><a href='{}'></template>", '<object data={}>', "<!-- <a href='{}'> -->",
  '<iframe srcdoc="<a href=\'{}\'>"></iframe>', "<i data-src='{}'>", "<textarea><a href='{}'></textarea>",
  "<title><a href='{}'></title>", "<a href='{}' href='{}'>", "<a\nhref\n=\n'{}'", "</p><a href='{}'>é日", '<base target=x>',
  '<p>text\r\n', "<!DOCTYPE html><html lang=en>\n", "<video poster='{}'><source src='{}'></video>",
]

/** Mulberry32: small, and good enough to choose with. */
export function random(seed) {
  const next = () => {
    seed = (seed + 0x6d2b79f5) | 0
    let mixed = Math.imul(seed ^ (seed >>> 15), seed | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const below = (bound) => Math.floor(next() * bound)
  return { below, oneIn: (n) => below(n) === 0, pick: (from) => from[below(from.length)] }
}

const LATIN_1 = /[\u0100-\u{10ffff}]/gu

/** The bytes of a document: in UTF-8, now and then in another encoding, cut off, or with bytes that are nothing. */
export function document(number) {
  const chance = random(number * 2_654_435_761)
  const isLatin = chance.oneIn(6)
  const parts = isLatin || chance.oneIn(3) ? [`<meta charset=${isLatin ? 'iso-8859-1' : 'utf-8'}>`] : []
  for (let count = chance.below(12); count > 0; count--) {
    if (chance.oneIn(20)) parts.push(`<base href='${chance.pick(REFERENCES)}'>`)
    parts.push(chance.pick(PLACES).replaceAll('{}', () => chance.pick(REFERENCES)))
  }
  const text = parts.join('')
  const bytes = isLatin ? Buffer.from(text.replace(LATIN_1, '?'), 'latin1') : Buffer.from(text)
  if (!chance.oneIn(20)) return bytes
  const noise = Array.from({ length: 5 }, () => chance.below(256))
  return Buffer.concat([bytes.subarray(0, chance.below(bytes.length + 1)), Buffer.from(noise)])
}
