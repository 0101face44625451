import abslink from 'abslink-html/vite'

export default {
  plugins: [abslink({ base: 'https://docs.example.org/' })],
  build: { rollupOptions: { input: ['index.html', 'guide/index.html'] } },
}
