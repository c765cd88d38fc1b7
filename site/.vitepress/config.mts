import { defineConfig } from 'vitepress'

import { nav, sidebar } from './nav.mjs'

export default defineConfig({
  title: 'tickmark',
  description: 'One lab bench for real-time messaging and market data',
  base: process.env.SITE_BASE ?? '/',
  srcDir: 'target/pages',
  outDir: process.env.SITE_OUT ?? '../target/site',
  cacheDir: 'target/cache',
  rewrites: page => page.replace(/(^|\/)README\.md$/, '$1index.md'),
  // {{...}} in code is shown as it is: nothing on the pages is a template.
  markdown: {
    config: md => {
      const inline = md.renderer.rules.code_inline!
      md.renderer.rules.code_inline = (...all) => inline(...all).replace('<code', '<code v-pre')
    },
  },
  themeConfig: {
    search: { provider: 'local' },
    outline: [2, 3],
    nav,
    sidebar,
  },
})
