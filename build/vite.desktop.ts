import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { defineConfig, type Plugin } from 'vite';
import { bundleOutput } from './bundle-output.ts';
import { listPackages } from './list-packages.ts';

const ICON = join(import.meta.dirname, 'icons', '64x64.png');

/** The desktop's main process and the entries of its server process and of commands, with all that they import, as `dist/electron`. */
export default defineConfig({
  publicDir: false,
  build: {
    ssr: true,
    target: 'node24',
    outDir: 'dist/electron',
    emptyOutDir: true,
    rolldownOptions: {
      input: {
        main: 'electron/main.ts',
        'server-process': 'electron/server-process.ts',
        'command-process': 'electron/command-process.ts',
      },
      external: ['electron'],
      output: bundleOutput,
    },
  },
  ssr: { noExternal: true, external: ['electron'] },
  plugins: [withIcon(), listPackages('electron')],
});

/** What the tray and, on Linux, the window show. */
function withIcon(): Plugin {
  return {
    name: 'with-icon',
    generateBundle() {
      this.emitFile({ type: 'asset', fileName: 'icon.png', source: readFileSync(ICON) });
    },
  };
}
