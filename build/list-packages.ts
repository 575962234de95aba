import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Plugin } from 'vite';

const MODULES = 'node_modules/';

/**
 * Writes beside what was built, as `<name>.packages.json`, which packages are in it, by their place in `package-lock.json`: those
 * of which a line is in the code, or a style sheet. Beside and not within, because the screens are served.
 */
export function listPackages(name: string): Plugin {
  const places = new Set<string>();
  return {
    name: 'list-packages',
    apply: 'build',
    generateBundle(_options, bundle) {
      for (const chunk of Object.values(bundle)) {
        if (chunk.type !== 'chunk') continue;
        for (const [id, { renderedLength }] of Object.entries(chunk.modules)) {
          const place = placeOf(id);
          if (place !== undefined && (renderedLength > 0 || /\.css(\?|$)/.test(id))) places.add(place);
        }
      }
    },
    writeBundle({ dir }) {
      if (dir === undefined) return;
      const text = `${JSON.stringify([...places].sort(), null, 1)}\n`;
      writeFileSync(join(dirname(dir), packagesFile(name)), text);
    },
  };
}

/** Places in the lock file. @throws Error where that bundle was not built into this folder */
export function readPackages(dist: string, name: string): string[] {
  return JSON.parse(readFileSync(join(dist, packagesFile(name)), 'utf8'));
}

export const packagesFile = (name: string) => `${name}.packages.json`;

/** `node_modules/a/node_modules/@b/c` of a module of that package; undefined for one of our own. */
function placeOf(id: string): string | undefined {
  const path = id.replaceAll('\\', '/');
  const last = path.lastIndexOf(MODULES);
  if (last === -1) return undefined;
  const within = path.slice(last + MODULES.length).split('/');
  const name = within.slice(0, path[last + MODULES.length] === '@' ? 2 : 1).join('/');
  return path.slice(path.indexOf(MODULES), last + MODULES.length) + name.replace(/\?.*$/, '');
}
