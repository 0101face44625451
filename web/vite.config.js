import { defineConfig } from 'vite'

const here = (path) => new URL(path, import.meta.url).pathname

export default defineConfig({
  // The page lies below any path of any server.
  base: './',
  resolve: { alias: { 'abslink-html/inline': here('../js/lib/inline.js'), 'abslink-html/options': here('../js/lib/options.js') } },
  server: { fs: { allow: [here('..')] } },
  worker: { format: 'es' },
  build: {
    target: 'es2022',
    // Its code would fetch; every browser that has WebAssembly preloads modules itself.
    modulePreload: { polyfill: false },
    // The engine alone is larger than what Vite warns of.
    chunkSizeWarningLimit: 1500,
  },
})
