import { join } from 'node:path';
import { build } from 'vite';

const PROJECT = join(import.meta.dirname, '..');

/** The bundles, each with its configurations in the order in which they are built: the preload joins the main process. */
const CONFIGURATIONS = { server: ['server'], electron: ['desktop', 'preload'] } as const;
export type Bundle = keyof typeof CONFIGURATIONS;

/** Builds bundles into `dist/server` and `dist/electron`, or elsewhere than `dist`. */
export async function buildBundles(bundles: readonly Bundle[], dist = join(PROJECT, 'dist')): Promise<void> {
  for (const bundle of bundles) {
    for (const name of CONFIGURATIONS[bundle]) {
      await build({
        configFile: join(PROJECT, 'build', `vite.${name}.ts`),
        root: PROJECT,
        logLevel: 'warn',
        build: { outDir: join(dist, bundle) },
      });
    }
  }
}
