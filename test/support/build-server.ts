import { join } from 'node:path';
import { buildBundles } from '../../build/bundles.ts';
import { freshBundle } from '../../server/app/fresh-bundle.ts';
import { copyTestedProgram } from './tested-program.ts';

/**
 * Before all tests: servers that tests start run the bundle of the sources as they are now, as they do after
 * `npm run build`. Hundreds are started, and from the sources each takes three times as long.
 */
export async function setup(): Promise<void> {
  if (freshBundle(join(import.meta.dirname, '..', '..')) === undefined) await buildBundles(['server']);
  copyTestedProgram();
}
