import { defineConfig } from 'vite';

/** The preload script: in a sandbox it can load no other file, and no ES module. */
export default defineConfig({
  publicDir: false,
  build: {
    ssr: true,
    target: 'node24',
    outDir: 'dist/electron',
    emptyOutDir: false,
    rolldownOptions: {
      input: { preload: 'electron/preload.ts' },
      external: ['electron'],
      output: { format: 'cjs', entryFileNames: '[name].cjs' },
    },
  },
  ssr: { noExternal: true, external: ['electron'] },
});
