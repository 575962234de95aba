import { existsSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';
import { listFiles } from './list-files.ts';
import { listPackages } from './list-packages.ts';

const BUILT = fileURLToPath(new URL('../dist/renderer', import.meta.url));
const SCREENS = fileURLToPath(new URL('../renderer/index.html', import.meta.url));
const DOCUMENTATION = fileURLToPath(new URL('../renderer/docs/docs.ts', import.meta.url));
const NEW = `${BUILT}-${process.pid}`;

/**
 * The screens as static files in `dist/renderer`: no inline script, so that the page's Content-Security-Policy allows
 * none, and every file but the page itself and `docs.js` is named by its content.
 */
export default defineConfig({
  root: 'renderer',
  plugins: [react(), listFiles(), listPackages('renderer'), inOneStep()],
  build: {
    target: 'es2023',
    outDir: NEW,
    emptyOutDir: true,
    // A picture in the script could not be cached apart from it, and `data:` would have to be allowed.
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 1_500,
    rolldownOptions: {
      input: [SCREENS, DOCUMENTATION],
      // Under a name that stays: the pages of the documentation are no part of the build.
      output: {
        entryFileNames: ({ facadeModuleId }) =>
          facadeModuleId === DOCUMENTATION ? 'docs.js' : 'assets/[name]-[hash].js',
      },
    },
  },
});

/** A server that serves the screens meanwhile finds the former ones or the new ones, never a part of them. */
function inOneStep(): Plugin {
  return {
    name: 'in-one-step',
    apply: 'build',
    closeBundle: {
      order: 'post',
      handler() {
        // A build that failed has no page; what it left is taken away, and the former screens stay.
        if (!existsSync(join(NEW, 'index.html'))) {
          rmSync(NEW, { recursive: true, force: true });
          return;
        }
        const former = `${NEW}-former`;
        if (existsSync(BUILT)) renameSync(BUILT, former);
        renameSync(NEW, BUILT);
        rmSync(former, { recursive: true, force: true });
      },
    },
  };
}
