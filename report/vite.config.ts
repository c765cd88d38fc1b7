import { defineConfig } from 'vitest/config';

// One script and one style sheet: Java writes both into each report, so nothing may be split off.
export default defineConfig({
  publicDir: false,
  build: {
    outDir: 'target/page/io/tickmark/report/page',
    emptyOutDir: true,
    target: 'es2023',
    cssCodeSplit: false,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      input: 'src/main/page/main.ts',
      output: {
        format: 'iife',
        entryFileNames: 'report.js',
        assetFileNames: 'report[extname]',
      },
    },
  },
  test: {
    environment: 'happy-dom',
    testTimeout: 60_000, // patience with a busy machine
    css: true, // the colours are read from the style sheet
    include: ['src/test/page/**/*.test.ts'],
    reporters: ['default', ['junit', { outputFile: 'target/surefire-reports/TEST-page.xml' }]],
  },
});
