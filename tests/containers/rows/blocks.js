// Blocks in rows, as npm's parser of WordPress reads them: `blocks.js ABSLINK FOLDER`. Only URLs may differ, and what is
// written has to be what WordPress' serialize_block_attributes writes.

const { execFileSync } = require("child_process");
const fs = require("fs");
const { parse } = require("@wordpress/block-serialization-default-parser");

const [abslink, folder] = process.argv.slice(2);
const OLD = "http://old.example";
const NEW = "https://new--x.example";
const URLS = [`${OLD}/a--b`, `${OLD}/?a&b-`, "x@y.org", "twitter.com/x"];
const TEXTS = [...URLS, `<a href="${OLD}/x">é</a>`, 'plain -- & < "q" \\'];

let seed = 7;
const pick = (list) => list[(seed = (seed * 1103515245 + 12345) & 0x7fffffff) % list.length];
const ESCAPES = [[/\\\\/g, "\\u005c"], [/--/g, "\\u002d\\u002d"], [/</g, "\\u003c"], [/>/g, "\\u003e"], [/&/g, "\\u0026"], [/\\"/g, "\\u0022"]];
const serialized = (attributes) => ESCAPES.reduce((json, [from, to]) => json.replace(from, to), JSON.stringify(attributes));

const rows = Array.from({ length: 2000 }, () => {
    const image = { background: { backgroundImage: { url: pick(URLS) } } };
    const attributes = serialized({ url: pick(URLS), content: pick(TEXTS), style: image });
    const name = pick(["cover", "core/navigation-link", "my/x"]);
    return `<p>-</p>\n<!-- wp:${name} ${attributes} -->\n<img src="${OLD}/i.png">\n<!-- /wp:${name} --><!-- wp:${name} ${attributes} /-->`;
});
fs.writeFileSync(`${folder}/rows.jsonl`, rows.map((v) => JSON.stringify({ v }) + "\n").join(""));
const move = ["--to", "keep", "-b", "https://e.org/", "--move-url", `${OLD}=${NEW}`];
const out = execFileSync(abslink, ["rewrite", "-q", "--verify", ...move, "--field", "v", `${folder}/rows.jsonl`], { maxBuffer: 1 << 28 });
const news = out.toString().trim().split("\n").map((line) => JSON.parse(line).v);

const moved = (value) =>
    typeof value === "string" ? value.replaceAll(OLD, NEW)
    : Array.isArray(value) ? value.map(moved)
    : value && typeof value === "object" ? Object.fromEntries(Object.entries(value).map(([key, one]) => [key, moved(one)]))
    : value;

let blocks = 0;
for (const [index, row] of rows.entries()) {
    const [want, got] = [moved(parse(row)), parse(news[index])].map((read) => JSON.stringify(read));
    if (want !== got) throw new Error(`${want}\n${got}`);
    for (const [, json] of news[index].matchAll(/wp:\S+ ({.*?}) \/?-->/g)) {
        if (serialized(JSON.parse(json)) !== json) throw new Error(json);
        blocks += 1;
    }
}
console.log(rows.length, blocks);
