import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { ROOMS } from './rooms.ts';

const PROJECT = fileURLToPath(new URL('../..', import.meta.url));
const LONGEST_FILE = 500;

interface Source {
  /** From the project's folder: `server/store/store.ts`. */
  path: string;
  text: string;
}

const PARTS = ['shared', 'server', 'renderer', 'electron'];

/** Who alone may import a package. */
const OWNERS: [imported: RegExp, owner: string][] = [
  [/^(rxdb|rxjs)(\/|$)/, 'server/store/'],
  [/^node:sqlite$/, 'server/store/'],
  [/^express(\/|$)/, 'server/http/'],
  [/^electron(\/|$)/, 'electron/'],
  [/^pg(\/|$)/, 'server/journal/'],
  [/^prom-client(\/|$)/, 'server/metrics/'],
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
  if (target === 'package.json') return path !== 'server/store/program-version.ts';
  const [from, to] = [roomOf(path), roomOf(target)];
  if (from === undefined || to === undefined) return true;
  return from !== to && !ROOMS[from]?.some(room => room === to || to.startsWith(`${room}/`));
}

/** The innermost room that a file stands in; undefined for one that stands in none. */
function roomOf(path: string): string | undefined {
  let folder = dirname(path);
  while (folder !== '.' && !Object.hasOwn(ROOMS, folder)) folder = dirname(folder);
  return folder === '.' ? undefined : folder;
}

/** What a file imports, exports from, or loads by `import()`, `require()` or `getBuiltinModule()`; types as well. */
function importsOf(text: string): string[] {
  const code = text.replace(/^\s*(\/\/|\*|\/\*).*$/gm, '');
  const patterns = [
    /\b(?:import|export)\s[^'"`;]*?\bfrom\s*['"]([^'"\s]+)['"]/g,
    /^\s*import\s*['"]([^'"\s]+)['"]/gm,
    /\b(?:import|require|getBuiltinModule)\s*\(\s*['"`]([^'"`\s]+)['"`]/g,
  ];
  return patterns.flatMap(pattern => [...code.matchAll(pattern)].map(([, imported = '']) => imported));
}

const sources: Source[] = PARTS.flatMap(part =>
  readdirSync(join(PROJECT, part), { recursive: true, encoding: 'utf8' })
    .filter(name => /\.(ts|tsx|mts|cts|js|mjs|cjs)$/.test(name))
    .map(name => {
      const path = `${part}/${name.replaceAll('\\', '/')}`;
      return { path, text: readFileSync(join(PROJECT, path), 'utf8') };
    }),
);

describe('the source', () => {
  it('is where this test looks for it', () => {
    for (const [imported, owner] of OWNERS) {
      const users = sources.filter(({ text }) => importsOf(text).some(name => imported.test(name)));
      expect(users.length, `${imported} in ${owner}`).toBeGreaterThan(0);
    }
    for (const room of Object.keys(ROOMS)) {
      expect(
        sources.some(({ path }) => roomOf(path) === room),
        `files of ${room}`,
      ).toBe(true);
    }
  });

  it('has no import that points the wrong way', () => {
    expect(wrongImports(sources)).toEqual([]);
  });

  it('needs every door between two rooms that is open', () => {
    const used = new Set(
      sources.flatMap(({ path, text }) =>
        importsOf(text)
          .filter(imported => imported.startsWith('.'))
          .map(imported => `${roomOf(path)} ${roomOf(normalize(join(dirname(path), imported)))}`),
      ),
    );
    const unused = Object.entries(ROOMS).flatMap(([from, rooms]) =>
      rooms
        .filter(to => ![...used].some(pair => pair === `${from} ${to}` || pair.startsWith(`${from} ${to}/`)))
        .map(to => `${from}: ${to}`),
    );
    expect(unused).toEqual([]);
  });

  it(`has no file of more than ${LONGEST_FILE} lines`, () => {
    const lengths = sources.map(({ path, text }) => ({ path, lines: text.split('\n').length - 1 }));
    expect(lengths.filter(({ lines }) => lines > LONGEST_FILE)).toEqual([]);
  });
});

describe('the check finds', () => {
  it.each([
    ['shared/contract/dates.ts', "import { DateTime } from 'luxon';"],
    ['shared/contract/dates.ts', "import { readFileSync } from 'node:fs';"],
    ['shared/contract/fields.ts', "import { supplier } from '../families/supplier.ts';"],
    ['shared/families/part.ts', "import type { Store } from '../../server/store/store.ts';"],
    ['shared/operations/client.ts', "export { Store } from '../../server/store/store.ts';"],
    ['server/rules/shipping.ts', "import type { RxDatabase } from 'rxdb';"],
    ['server/rules/shipping.ts', "import { Subject } from 'rxjs';"],
    ['server/rules/shipping.ts', "import {\n  type Observable,\n  Subject,\n} from 'rxjs/operators';"],
    ['server/rules/shipping.ts', "import type { RequestContext } from '../http/request-context.ts';"],
    ['server/store/store.ts', "import { lotFactsOf } from '../rules/lot-facts.ts';"],
    ['server/store/sqlite/database.ts', "import type { Store } from '../store.ts';"],
    ['server/sync/protocol/decide.ts', "import type { Log } from '../log/log.ts';"],
    ['server/sync/central/exchange.ts', "import type { Engine } from '../station/engine.ts';"],
    ['server/http/routes.ts', "import { DatabaseSync } from 'node:sqlite';"],
    ['server/http/routes.ts', "const { DatabaseSync } = await import('node:sqlite');"],
    ['server/http/routes.ts', "const sqlite = process.getBuiltinModule('node:sqlite');"],
    ['server/http/routes.ts', "import { openStation } from '../app/station.ts';"],
    ['server/store/store.ts', "import type { Express } from 'express';"],
    ['server/app/station.ts', "import express from 'express';"],
    ['server/app/main.ts', "import 'electron';"],
    ['server/app/main.ts', "import { main } from '../../electron/main.ts';"],
    ['server/app/main.ts', "import { App } from '../../renderer/app/app.tsx';"],
    ['server/main.ts', "import { runServer } from './app/process.ts';"],
    ['electron/main.ts', "import { openStation } from '../server/app/station.ts';"],
    ['renderer/app/app.tsx', "import { main } from '../../electron/main.ts';"],
    ['renderer/app/app.tsx', "const { ipcRenderer } = require('electron');"],
    ['renderer/ui/failure.tsx', "import { Shell } from '../app/shell.tsx';"],
    ['renderer/record/record-form.tsx', "import { LotPage } from '../screens/stock/lot-page.tsx';"],
    ['renderer/screens/stock/lot-page.tsx', "import { Board } from '../quality/board.tsx';"],
    ['server/app/station.ts', "import { helper } from '../../../elsewhere/helper.ts';"],
  ])('in %s: %s', (path, text) => {
    expect(wrongImports([{ path, text: `// What it is for.\n${text}\nrun();\n` }])).toHaveLength(1);
  });

  it.each([
    ['shared/contract/fields.ts', "import { z } from 'zod';\nimport { parseDate } from './dates.ts';"],
    ['shared/families/part.ts', "import { text } from '../contract/fields.ts';"],
    ['server/store/store.ts', "import { createRxDatabase } from 'rxdb';"],
    ['server/store/sqlite/connection.ts', "import { DatabaseSync } from 'node:sqlite';"],
    ['server/http/routes.ts', "import express from 'express';\nimport { z } from 'zod';"],
    ['server/http/handlers/items.ts', "import { reply } from '../reply.ts';"],
    ['server/rules/shipping.ts', "import type { UnitOfWork } from '../store/unit-of-work.ts';"],
    [
      'electron/main.ts',
      "import { app } from 'electron';\nimport { dates } from '../shared/contract/dates.ts';",
    ],
    ['renderer/app/app.tsx', "import { createRoot } from 'react-dom/client';"],
    ['renderer/app/routes.tsx', "import { LotPage } from '../screens/stock/lot-page.tsx';"],
    ['server/app/main.ts', "// import { main } from '../../electron/main.ts';"],
  ])('nothing in %s: %s', (path, text) => {
    expect(wrongImports([{ path, text }])).toEqual([]);
  });
});
