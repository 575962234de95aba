import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { copyFile, cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { build } from 'vite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { OpenApiDocument } from '../../server/http/openapi/openapi-document.ts';
import { Station } from '../support/station.ts';

/**
 * Clients that others' generators make of the document, in strict TypeScript, and linters. The generators are some 600 packages apart from
 * the product's (`generators/package-lock.json`), and take minutes: `HOLDPOINT_GENERATORS=full` installs and runs them.
 */
const IS_WHOLE = process.env.HOLDPOINT_GENERATORS === 'full';
const PROJECT = join(import.meta.dirname, '../..');
const SOURCE = join(import.meta.dirname, 'generators');
const COMPILER = join(PROJECT, 'node_modules/typescript/bin/tsc');
const run = promisify(execFile);
const LONG_MS = 600_000;
/** Of the types that a generator writes: half of what each operation took of version 0.1.0 (27,000 lines for 208 operations). */
const LINES_OF_AN_OPERATION = 65;
/** Of the operations that version 0.1.0 had: half of all that they took then. */
const LINES_OF_THE_FIRST = 13_500;

let folder: string;
const station = new Station();

/** What each generated client says that it saw: the same for all. */
const STORY = [
  'supplier Generated',
  'part GEN-1',
  'template 201',
  'receipt 12.5',
  'lots 12.5',
  'lot GEN-LOT of GEN-1',
  'inspection null',
  'passed true',
  'shipped 5',
  'today true',
  'left 7.5',
  'refused 422 validation_failed unit_of_measure',
  'renamed 200, late 412',
  'listed 1: id,identification,name,supplier',
  'changes supplier created,part created,supplier changed true',
  'event cursor',
];

describe.skipIf(!IS_WHOLE)('generators of clients', () => {
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'holdpoint-generators-'));
    await symlink(await installed(), join(folder, 'node_modules'));
    await mkdir(join(folder, 'generated'));
    for (const name of await readdir(SOURCE))
      if (name.endsWith('.ts')) await copyFile(join(SOURCE, name), join(folder, name));
    await writeFile(join(folder, 'package.json'), '{ "type": "module", "private": true }');
    await station.start();
    const { body } = await station.get('/openapi.json');
    const document = { ...(body as object), servers: [{ url: `${station.origin}/api/v2` }] };
    await writeFile(join(folder, 'openapi.json'), JSON.stringify(document));
    await station.stop();
  }, LONG_MS);
  afterAll(async () => {
    if (folder) await rm(folder, { recursive: true });
  });

  it.each([
    ['openapi-typescript', 'openapi-typescript', ['openapi.json', '-o', 'generated/openapi-typescript.ts']],
    ['hey-api', 'openapi-ts', ['-i', 'openapi.json', '-o', 'generated/hey-api']],
    ['orval', 'orval', ['--config', 'orval.config.mjs']],
    ['kubb', 'kubb', ['generate', '--config', 'kubb.config.mjs']],
  ])(
    '%s makes a client that is right in strict TypeScript and tells the story',
    async (name, program, args) => {
      await configure();
      await tool(program, args);
      await compile(join(folder, `${name}.ts`));
      const outcome = await tellIn(name);
      expect(outcome).toEqual(STORY);
    },
    LONG_MS,
  );

  it.each(['generated/openapi-typescript.ts', 'generated/hey-api/types.gen.ts'])(
    '%s is half as long as it was',
    async file => {
      const lines = (await readFile(join(folder, file), 'utf8')).split('\n').length;
      const { paths } = JSON.parse(await readFile(join(folder, 'openapi.json'), 'utf8')) as { paths: object };
      const operations = Object.values(paths).flatMap(methods => Object.keys(methods)).length;
      process.stdout.write(`    ${file}: ${lines} lines for ${operations} operations\n`);
      expect(lines / operations).toBeLessThan(LINES_OF_AN_OPERATION);
    },
  );

  it.each([
    ['openapi-typescript', ['first.json', '-o', 'generated/first.ts'], 'generated/first.ts'],
    ['openapi-ts', ['-i', 'first.json', '-o', 'generated/first'], 'generated/first/types.gen.ts'],
  ])(
    '%s writes of the operations of version 0.1.0 at most half of the 27,000 lines that they took there',
    async (program, args, file) => {
      const document = JSON.parse(await readFile(join(folder, 'openapi.json'), 'utf8')) as OpenApiDocument;
      const first = JSON.parse(await readFile(join(SOURCE, 'operations-0.1.0.json'), 'utf8')) as string[];
      const only = onlyOf(document, new Set(first));
      expect(Object.values(only.paths).flatMap(methods => Object.keys(methods))).toHaveLength(first.length);
      await writeFile(join(folder, 'first.json'), JSON.stringify(only));
      await tool(program, args);
      const lines = (await readFile(join(folder, file), 'utf8')).split('\n').length;
      process.stdout.write(
        `    ${program}: ${lines} lines for ${first.length} operations of version 0.1.0\n`,
      );
      expect(lines).toBeLessThanOrEqual(LINES_OF_THE_FIRST);
    },
    LONG_MS,
  );

  it(
    'linters find nothing',
    async () => {
      await writeFile(join(folder, 'ruleset.yaml'), 'extends: [[spectral:oas, recommended]]\n');
      const spectral = await tool('spectral', [
        'lint',
        '-r',
        'ruleset.yaml',
        '--fail-severity',
        'hint',
        'openapi.json',
      ]);
      expect(spectral).toContain("No results with a severity of 'hint' or higher found!");
      const redocly = JSON.parse(
        await tool('redocly', ['lint', '--format', 'json', 'openapi.json']),
      ) as unknown;
      expect(redocly).toMatchObject({ totals: { errors: 0, warnings: 0 }, problems: [] });
    },
    LONG_MS,
  );
});

/** The document of some operations (`GET /path`), with the components that they need and the links that lead to them. */
function onlyOf(document: OpenApiDocument, wanted: ReadonlySet<string>): OpenApiDocument {
  const paths = Object.fromEntries(
    Object.entries(document.paths).flatMap(([path, methods]) => {
      const kept = Object.entries(methods).filter(([method]) =>
        wanted.has(`${method.toUpperCase()} ${path}`),
      );
      return kept.length > 0 ? [[path, Object.fromEntries(kept)]] : [];
    }),
  );
  const ids = new Set(
    Object.values(paths).flatMap(methods => Object.values(methods).map(each => each.operationId)),
  );
  // What names another operation is a link to it.
  const only = JSON.parse(
    JSON.stringify({ ...document, paths }, (_name, value) =>
      value?.operationId === undefined || ids.has(value.operationId) ? value : undefined,
    ),
  ) as OpenApiDocument;
  const components: Record<string, Record<string, unknown>> = {
    securitySchemes: only.components.securitySchemes,
  };
  const follow = (from: unknown): void => {
    for (const [, kind = '', name = ''] of JSON.stringify(from).matchAll(
      /"#\/components\/(\w+)\/([^"]+)"/g,
    )) {
      components[kind] ??= {};
      const known = components[kind];
      if (name in known) continue;
      known[name] = Reflect.get(Reflect.get(only.components, kind) as object, name);
      follow(known[name]);
    }
  };
  follow(only.paths);
  return { ...only, components: components as unknown as OpenApiDocument['components'] };
}

/** `node_modules` of the generators; of each list once, beside what else a run keeps. */
async function installed(): Promise<string> {
  const lock = await readFile(join(SOURCE, 'package-lock.json'));
  const kept = join(
    PROJECT,
    'node_modules/.cache/generators',
    createHash('sha256').update(lock).digest('hex').slice(0, 12),
  );
  if (!existsSync(join(kept, 'whole'))) {
    await rm(kept, { recursive: true, force: true });
    await cp(SOURCE, kept, { recursive: true });
    await run('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd: kept });
    await writeFile(join(kept, 'whole'), '');
  }
  return join(kept, 'node_modules');
}

async function configure(): Promise<void> {
  await writeFile(
    join(folder, 'orval.config.mjs'),
    `export default { holdpoint: { input: './openapi.json', output: { target: './generated/orval.ts', client: 'fetch', baseUrl: '${station.origin}/api/v2' } } };\n`,
  );
  await writeFile(
    join(folder, 'kubb.config.mjs'),
    `import { defineConfig } from '@kubb/core';
import { pluginClient } from '@kubb/plugin-client';
import { pluginOas } from '@kubb/plugin-oas';
import { pluginTs } from '@kubb/plugin-ts';
export default defineConfig({
  input: { path: './openapi.json' },
  output: { path: './generated/kubb', format: false, lint: false },
  plugins: [pluginOas({ generators: [] }), pluginTs(), pluginClient({ client: 'fetch', bundle: true })],
});\n`,
  );
}

/** What it prints. */
async function tool(program: string, args: readonly string[]): Promise<string> {
  const { stdout } = await run(process.execPath, [join(folder, 'node_modules/.bin', program), ...args], {
    cwd: folder,
    maxBuffer: 2 ** 28,
    // None of them asks anybody anything.
    env: {
      ...process.env,
      CI: '1',
      REDOCLY_TELEMETRY: 'off',
      REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true',
      KUBB_DISABLE_TELEMETRY: '1',
    },
  }).catch((error: { stdout?: string; stderr?: string }) => {
    throw new Error(`${program}: ${error.stdout?.slice(-4_000)}\n${error.stderr?.slice(-4_000)}`);
  });
  return stdout;
}

async function compile(file: string): Promise<void> {
  const flags = `--ignoreConfig --strict --noEmit --skipLibCheck --target ES2022 --lib ES2022,DOM,DOM.Iterable,DOM.AsyncIterable --types node --typeRoots ${join(PROJECT, 'node_modules/@types')} --module ESNext --moduleResolution Bundler --allowImportingTsExtensions`;
  const { stdout } = await run(process.execPath, [COMPILER, ...flags.split(' '), file], {
    cwd: folder,
  }).catch((error: { stdout: string }) => error);
  expect(stdout.slice(0, 4_000)).toBe('');
}

/** Runs the client on a station of its own, since all tell the same; at one address, since one generator writes it into its code. */
async function tellIn(name: string): Promise<unknown> {
  await build({
    root: folder,
    configFile: false,
    logLevel: 'error',
    ssr: { noExternal: true },
    build: { ssr: `${name}.ts`, outDir: `built/${name}`, target: 'node20', minify: false },
  });
  const own = new Station({ port: Number(new URL(station.origin).port) });
  try {
    await own.start();
    const env = { ...process.env, BASE: own.origin, TOKEN: own.token };
    const { stdout } = await run(process.execPath, [join(folder, `built/${name}/${name}.js`)], {
      cwd: folder,
      env,
      timeout: 60_000,
    });
    return JSON.parse(stdout);
  } finally {
    await own.stop();
  }
}
