import { defineConfig } from 'vitest/config';

export default defineConfig({
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
    include: ['src/test/page/**/*.test.ts'],
    reporters: ['default', ['junit', { outputFile: 'target/surefire-reports/TEST-page.xml' }]],
  },
});
