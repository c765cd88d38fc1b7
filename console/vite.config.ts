import { readFileSync } from 'node:fs';
import { defineConfig } from 'vitest/config';

/** The content of the head of every page. */
const HEAD = readFileSync(new URL('src/main/page/head.html', import.meta.url), 'utf8');

export default defineConfig({
  plugins: [{ name: 'head', transformIndexHtml: { order: 'pre', handler: (html) => html.replace('<!-- head -->', HEAD.trim()) } }],
  root: 'src/main/page',
  base: '/',
  worker: { format: 'es' },
  build: {
    outDir: '../../../target/page/io/tickmark/console/page',
    emptyOutDir: true,
    target: 'es2023',
    rollupOptions: { input: ['index.html', 'runs.html'].map((page) => new URL(`src/main/page/${page}`, import.meta.url).pathname) },
    modulePreload: { polyfill: false },
    // what would be written into the page as text would need a looser content policy
    assetsInlineLimit: 0,
  },
  test: {
    root: '.',
    environment: 'happy-dom',
    testTimeout: 60_000, // patience with a busy machine
    include: ['src/test/page/**/*.test.ts'],
    reporters: ['default', ['junit', { outputFile: 'target/surefire-reports/TEST-page.xml' }]],
  },
});
