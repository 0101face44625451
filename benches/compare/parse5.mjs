// Makes the links of a tree absolute with parse5-html-rewriting-stream, in worker threads:
// parse5.mjs TREE OUT BASE THREADS
import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, sep } from 'node:path';
import { isMainThread, Worker, workerData } from 'node:worker_threads';
import { RewritingStream } from 'parse5-html-rewriting-stream';

const LINKS = new Set(['href', 'src', 'action', 'formaction', 'cite', 'data', 'poster',
    'background', 'longdesc', 'xlink:href']);

// An empty `src` asks for nothing; an empty `href` for the document itself.
const carriesUrl = ({ name, value }) => LINKS.has(name) && (value || name === 'href');

async function convert(document, url) {
    let base = url;
    const rewriter = new RewritingStream();
    const chunks = [];
    rewriter.on('data', chunk => chunks.push(chunk));
    rewriter.on('startTag', (tag, raw) => {
        let changed = false;
        for (const attribute of tag.attrs) {
            if (carriesUrl(attribute) && URL.canParse(attribute.value, base)) {
                const absolute = new URL(attribute.value, base).href;
                changed ||= absolute !== attribute.value;
                attribute.value = absolute;
                if (tag.tagName === 'base' && base === url) {
                    base = absolute;
                }
            }
        }
        if (changed) {
            rewriter.emitStartTag(tag);
        } else {
            rewriter.emitRaw(raw);
        }
    });
    rewriter.end(document);
    await once(rewriter, 'end');
    return chunks.join('');
}

const [tree, out, root, threads] = process.argv.slice(2);
if (isMainThread) {
    const files = readdirSync(tree, { recursive: true, withFileTypes: true })
        .filter(entry => entry.isFile())
        .map(entry => join(entry.parentPath ?? entry.path, entry.name).slice(tree.length + 1));
    for (let worker = 0; worker < threads; worker++) {
        const share = files.filter((_, index) => index % threads === worker);
        new Worker(new URL(import.meta.url), { workerData: share, argv: process.argv.slice(2) });
    }
} else {
    for (const name of workerData) {
        let url = root + name.split(sep).map(encodeURIComponent).join('/');
        if (['index.html', 'index.htm'].includes(basename(name))) {
            url = new URL('.', url).href;
        }
        const target = join(out, name);
        mkdirSync(dirname(target), { recursive: true });
        writeFileSync(target, await convert(readFileSync(join(tree, name), 'utf8'), url));
    }
}
