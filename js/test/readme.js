// The examples of README.md: those that print something, each as a module and what it is to print.

export function examples(markdown) {
  const blocks = [...markdown.matchAll(/^```js\n(.*?)^```$/gms)].map(([, code]) => code)
  const printing = blocks.filter((code) => code.includes('console.log('))
  return printing.map((code) => {
    const lines = code.split('\n').filter((line) => line.includes('console.log('))
    return { code, expected: lines.map((line) => line.slice(line.lastIndexOf('// ') + 3)) }
  })
}
