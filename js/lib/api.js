// What every entry of the package exports.
export {
  AbslinkError,
  Rewriter,
  RewriterStream,
  check,
  explain,
  links,
  resolve,
  rewrite,
  rewriteBytes,
} from './core.js'
