import { defineConfig } from 'astro/config'
import abslink from 'abslink-html/astro'

export default defineConfig({ site: 'https://www.example.org/', integrations: [abslink()] })
