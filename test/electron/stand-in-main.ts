import { registerHooks } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { standInFor } from './stand-in-system.ts';

/** `node stand-in-main.ts FOLDER`: runs the bundled main process with a stand-in for the module `electron`. */
const [, , bundle = '', ...args] = process.argv;
const { STAND_IN_CHROMIUM } = process.env;
const stand = STAND_IN_CHROMIUM === undefined ? './stand-in-electron.ts' : './chromium-electron.ts';
const url = new URL(stand, import.meta.url).href;
registerHooks({
  resolve: (name, context, next) =>
    name === 'electron' ? { url, format: 'module-typescript', shortCircuit: true } : next(name, context),
});
process.argv = [process.execPath, '.', ...args];
const { STAND_IN_PLATFORM } = process.env;
if (STAND_IN_PLATFORM !== undefined) standInFor(STAND_IN_PLATFORM);
await import(pathToFileURL(join(bundle, 'main.js')).href);
