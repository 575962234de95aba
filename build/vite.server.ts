import { defineConfig } from 'vite';

/**
 * Bundles the server and the command line with all that they import, so that an installation needs no node_modules.
 * `npm run build` writes `dist/server`; `node dist/server/main.js serve` runs it.
 */
export default defineConfig({
  build: {
    ssr: true,
    target: 'node24',
    outDir: 'dist/server',
    emptyOutDir: true,
    rolldownOptions: {
      input: {
        main: 'server/main.ts',
        holdpoint: 'server/holdpoint.ts',
        // A worker thread is started by its file, not imported.
        'reader-thread': 'server/transfer/reader-thread.ts',
        'backup-thread': 'server/backup/backup-thread.ts',
      },
      output: { entryFileNames: '[name].js', chunkFileNames: '[name].js' },
    },
  },
  ssr: { noExternal: true },
});
