import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Plugin } from 'vite';
import { TESTED } from './tested-program.ts';

/** Start a process or a thread of the program that stands beside them: sources beside sources, the bundle in a bundle. */
const STARTING = /\/server\/(?:backup\/work|validation\/work|print\/printer|transfer\/reader)\.ts$/;
const OWN_PLACE = 'import.meta.url';

/**
 * Jobs that stores and servers within a test process start run the bundle, as those of installed servers do: from the
 * sources each takes four times as long. The bundle is there, and as new as the sources, before all tests.
 */
export function jobsOfBundle(): Plugin {
  const place = JSON.stringify(pathToFileURL(join(TESTED, 'main.js')).href);
  return {
    name: 'jobs-of-bundle',
    enforce: 'pre',
    transform(code, id) {
      if (!STARTING.test(id)) return undefined;
      if (!code.includes(OWN_PLACE)) throw new Error(`${id} does not look for its program beside itself.`);
      return { code: code.replaceAll(OWN_PLACE, place), map: null };
    },
  };
}
