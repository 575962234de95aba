import { defineConfig, type Plugin } from 'vite';

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
        'print-thread': 'server/paper/print-thread.ts',
      },
      output: { entryFileNames: '[name].js', chunkFileNames: '[name].js' },
    },
  },
  ssr: { noExternal: true },
  plugins: [withoutHttpFacade()],
});

/**
 * To import `node:http` makes Node read every export of it, and one of them loads the whole of Node's HTTP client: a
 * tenth of a start. Taken as a built-in module, only what is named is read.
 */
function withoutHttpFacade(): Plugin {
  return {
    name: 'without-http-facade',
    renderChunk: code =>
      code.replaceAll(
        /^import \{([^}]+)\} from "node:(https?)";$/gm,
        (_whole, names: string, name: string) =>
          `const {${names.replaceAll(' as ', ': ')}} = process.getBuiltinModule("node:${name}");`,
      ),
  };
}
