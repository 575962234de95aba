import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const PROJECT = fileURLToPath(new URL('../..', import.meta.url));
const LONGEST_FILE = 350;

interface Source {
  /** From the project's folder: `server/store/store.ts`. */
  path: string;
  text: string;
}

/** The parts of the project that never import each other; each may import `shared`. */
const PARTS = ['server', 'electron', 'renderer'];

/** Who alone may import a package. */
const OWNERS: [imported: RegExp, owner: string][] = [
  [/^(rxdb|rxjs)(\/|$)/, 'server/store/'],
  [/^node:sqlite$/, 'server/store/'],
  [/^express(\/|$)/, 'server/http/'],
  [/^electron(\/|$)/, 'electron/'],
];

/** Every import that points the wrong way, as `file: imported`. */
function wrongImports(sources: readonly Source[]): string[] {
  return sources.flatMap(({ path, text }) =>
    importsOf(text)
      .filter(imported => isWrong(path, imported))
      .map(imported => `${path}: ${imported}`),
  );
}

function isWrong(path: string, imported: string): boolean {
  if (!imported.startsWith('.')) {
    if (path.startsWith('shared/')) return !/^zod(\/|$)/.test(imported);
    return OWNERS.some(([owned, owner]) => owned.test(imported) && !path.startsWith(owner));
  }
  const target = normalize(join(dirname(path), imported));
  if (target.startsWith('shared/')) return false;
  if (target.startsWith('..') || path.startsWith('shared/')) return true;
  const [from, to] = [path, target].map(file => file.split('/')[0] ?? '');
  return from !== to && PARTS.includes(to ?? '');
}

/** What a file imports, exports from, or loads by `import()`, `require()` or `getBuiltinModule()`. */
function importsOf(text: string): string[] {
  const code = text.replace(/^\s*(\/\/|\*|\/\*).*$/gm, '');
  const patterns = [
    /\b(?:import|export)\s[^'"`;]*?\bfrom\s*['"]([^'"\s]+)['"]/g,
    /^\s*import\s*['"]([^'"\s]+)['"]/gm,
    /\b(?:import|require|getBuiltinModule)\s*\(\s*['"`]([^'"`\s]+)['"`]/g,
  ];
  return patterns.flatMap(pattern => [...code.matchAll(pattern)].map(([, imported = '']) => imported));
}

function sourcesOf(...folders: string[]): Source[] {
  return folders.flatMap(folder =>
    readdirSync(join(PROJECT, folder), { recursive: true, encoding: 'utf8' })
      .filter(name => /\.(ts|tsx|mts|cts|js|mjs|cjs)$/.test(name))
      .map(name => {
        const path = `${folder}/${name.replaceAll('\\', '/')}`;
        return { path, text: readFileSync(join(PROJECT, path), 'utf8') };
      }),
  );
}

const folders = readdirSync(PROJECT, { withFileTypes: true })
  .filter(entry => entry.isDirectory() && ['shared', ...PARTS].includes(entry.name))
  .map(({ name }) => name);
const sources = sourcesOf(...folders);

describe('the source', () => {
  it('is where this test looks for it', () => {
    expect(folders).toEqual(expect.arrayContaining(['server', 'shared']));
    for (const [imported, owner] of OWNERS) {
      if (!folders.includes(owner.split('/')[0] ?? '')) continue;
      const users = sources.filter(({ text }) => importsOf(text).some(name => imported.test(name)));
      expect(users.length, String(imported)).toBeGreaterThan(0);
    }
  });

  it('has no import that points the wrong way', () => {
    expect(wrongImports(sources)).toEqual([]);
  });

  it(`has no file of more than ${LONGEST_FILE} lines`, () => {
    const lengths = sources.map(({ path, text }) => ({ path, lines: text.split('\n').length - 1 }));
    expect(lengths.filter(({ lines }) => lines > LONGEST_FILE)).toEqual([]);
  });
});

describe('the check finds', () => {
  it.each([
    ['shared/dates.ts', "import { DateTime } from 'luxon';"],
    ['shared/dates.ts', "import { readFileSync } from 'node:fs';"],
    ['shared/families/part.ts', "import type { Store } from '../../server/store/store.ts';"],
    ['shared/client.ts', "export { Store } from '../server/store/store.ts';"],
    ['server/rules/shipping.ts', "import type { RxDatabase } from 'rxdb';"],
    ['server/rules/shipping.ts', "import { Subject } from 'rxjs';"],
    ['server/rules/shipping.ts', "import {\n  type Observable,\n  Subject,\n} from 'rxjs/operators';"],
    ['server/http/routes.ts', "import { DatabaseSync } from 'node:sqlite';"],
    ['server/http/routes.ts', "const { DatabaseSync } = await import('node:sqlite');"],
    ['server/http/routes.ts', "const sqlite = process.getBuiltinModule('node:sqlite');"],
    ['server/store/store.ts', "import type { Express } from 'express';"],
    ['server/station.ts', "import express from 'express';"],
    ['server/main.ts', "import 'electron';"],
    ['server/main.ts', "import { main } from '../electron/main.ts';"],
    ['server/main.ts', "import { App } from '../renderer/app.tsx';"],
    ['electron/main.ts', "import { openStation } from '../server/station.ts';"],
    ['renderer/app.tsx', "import { main } from '../electron/main.ts';"],
    ['renderer/app.tsx', "const { ipcRenderer } = require('electron');"],
    ['server/station.ts', "import { helper } from '../../elsewhere/helper.ts';"],
  ])('in %s: %s', (path, text) => {
    expect(wrongImports([{ path, text: `// What it is for.\n${text}\nrun();\n` }])).toHaveLength(1);
  });

  it.each([
    ['shared/fields.ts', "import { z } from 'zod';\nimport { parseDate } from './dates.ts';"],
    ['shared/families/part.ts', "import { text } from '../fields.ts';"],
    ['server/store/store.ts', "import { createRxDatabase } from 'rxdb';"],
    ['server/store/sqlite/connection.ts', "import { DatabaseSync } from 'node:sqlite';"],
    ['server/http/routes.ts', "import express from 'express';\nimport { z } from 'zod';"],
    ['server/rules/shipping.ts', "import type { Draft } from '../store/draft.ts';"],
    ['electron/main.ts', "import { app } from 'electron';\nimport { dates } from '../shared/dates.ts';"],
    ['renderer/app.tsx', "import { createRoot } from 'react-dom/client';"],
    ['server/main.ts', "// import { main } from '../electron/main.ts';"],
  ])('nothing in %s: %s', (path, text) => {
    expect(wrongImports([{ path, text }])).toEqual([]);
  });
});
