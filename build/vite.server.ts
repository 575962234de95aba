import { fileURLToPath } from 'node:url';
import { defineConfig, type Plugin } from 'vite';
import { bundleOutput } from './bundle-output.ts';
import { chunkOf } from './chunk-of.ts';
import { listFiles } from './list-files.ts';
import { listPackages } from './list-packages.ts';

const modules = fileURLToPath(new URL('../node_modules/', import.meta.url));

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
        main: 'server/app/main.ts',
        holdpoint: 'server/cli/holdpoint.ts',
        // What runs in a thread or a process of its own is started by its file, not imported.
        'reader-thread': 'server/transfer/reader-thread.ts',
        'backup-work': 'server/backup/backup-work.ts',
        'print-thread': 'server/print/print-thread.ts',
        'write-back-thread': 'server/store/sqlite/write-back-thread.ts',
        'qualification-work': 'server/qualification/qualification-work.ts',
      },
      output: {
        ...bundleOutput,
        codeSplitting: { groups: [{ name: chunkOf, includeDependenciesRecursively: false }] },
      },
    },
  },
  resolve: {
    // Under Node both are offered as CommonJS, which comes whole; of their modules only what is used is bundled.
    alias: [
      { find: /^rxjs$/, replacement: `${modules}rxjs/dist/esm/index.js` },
      { find: /^mingo\/(.+)$/, replacement: `${modules}mingo/esm/$1` },
    ],
  },
  ssr: { noExternal: true },
  plugins: [withoutFacades(), withoutUnused(), listFiles(), listPackages('server')],
});

/**
 * To import a module of Node makes it read every export of it, and some of those load further modules when they are read: those of
 * `node:http` the whole HTTP client, those of `node:fs` its streams and promises. Taken as a built-in module, only what is named is
 * read.
 */
function withoutFacades(): Plugin {
  return {
    name: 'without-facades',
    renderChunk: code =>
      code.replaceAll(
        /^import \{([^}]+)\} from "(node:[\w/]+)";$/gm,
        (_whole, names: string, name: string) =>
          `const {${names.replaceAll(' as ', ': ')}} = process.getBuiltinModule("${name}");`,
      ),
  };
}

/** Parsers of bodies; what prom-client has for clusters, gateways, quantiles and figures of its own. */
const UNUSED =
  /\/node_modules\/(body-parser\/|prom-client\/lib\/(cluster|pushgateway|summary|defaultMetrics)\.js$)/;

/** Of the types that the server names by a file's ending or a short name. */
const ENDINGS = new Set(
  'html css js mjs json svg png ico txt csv pdf zip gz woff2 map yml xml webmanifest bin'.split(' '),
);

/**
 * Express brings parsers of bodies with the character sets of the world, and thousands of media types. Bodies are read by
 * `server/http` itself, and few types are served.
 */
function withoutUnused(): Plugin {
  return {
    name: 'without-unused',
    enforce: 'pre',
    load(id) {
      if (UNUSED.test(id)) return 'module.exports = {};';
      return null;
    },
    transform(code, id) {
      if (!id.endsWith('/node_modules/mime-db/db.json')) return null;
      const types = Object.entries(JSON.parse(code) as Record<string, { extensions?: string[] }>);
      const used = types.filter(([, { extensions = [] }]) => extensions.some(ending => ENDINGS.has(ending)));
      return { code: JSON.stringify(Object.fromEntries(used)), map: null };
    },
  };
}
