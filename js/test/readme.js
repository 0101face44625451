// The examples of README.md: its blocks of JavaScript, and of those that print something what they are to print.

export const blocks = (markdown) => [...markdown.matchAll(/^```js\n(.*?)^```$/gms)].map(([, code]) => code)

export function examples(markdown) {
  const printing = blocks(markdown).filter((code) => code.includes('console.log('))
  return printing.map((code) => {
    const lines = code.split('\n').filter((line) => line.includes('console.log('))
    return { code, expected: lines.map((line) => line.slice(line.lastIndexOf('// ') + 3)) }
  })
}
