import { existsSync, mkdirSync } from 'node:fs';
import { Stryker } from '@stryker-mutator/core';
import { isPartName, type PartName, parts } from './parts.ts';

/**
 * `npm run mutate`, or `npm run mutate -- sampling gs1` for some parts: changes the code in small ways, one at a time,
 * and counts the changes that a test notices. What it found of unchanged code and tests it keeps in `reports/mutation`
 * and does not run again.
 */
const FLOOR = 85;
const given = process.argv.slice(2);
const wrong = given.find(name => !isPartName(name));
if (wrong !== undefined) {
  throw new Error(`There is no part "${wrong}". Give one of ${Object.keys(parts).join(', ')}.`);
}
// The rules' tests open real stores; that their files survive a power cut is not what is tested here.
if (existsSync('/dev/shm')) process.env.TMPDIR = '/dev/shm';
const names = given.length > 0 ? given.filter(isPartName) : Object.keys(parts).filter(isPartName);

const lines: string[] = [];
let isBelow = false;
const all = { killed: 0, total: 0 };
for (const name of names) {
  const found = await run(name);
  all.killed += found.killed;
  all.total += found.total;
  isBelow ||= found.killed / found.total < FLOOR / 100;
  lines.push(line(name, found));
}
process.stdout.write(`${[...lines, line('all', all)].join('\n')}\n`);
if (isBelow) process.exitCode = 1;

async function run(name: PartName): Promise<typeof all> {
  process.env.HOLDPOINT_MUTATE = name;
  const folder = `reports/mutation/${name}`;
  mkdirSync(folder, { recursive: true });
  const results = await new Stryker({
    mutate: [...parts[name].mutate],
    testRunner: 'vitest',
    // Named, so that it is found where packages are linked from elsewhere.
    plugins: ['@stryker-mutator/vitest-runner'],
    vitest: { configFile: 'test/mutation/vitest.config.ts', related: false },
    coverageAnalysis: 'perTest',
    incremental: true,
    incrementalFile: `${folder}/incremental.json`,
    ignorePatterns: ['dist', 'docs', 'reports', 'coverage'],
    // There is no checker of types here, and TypeScript 7 has no interface that could read the file.
    tsconfigFile: 'none',
    concurrency: Number(process.env.HOLDPOINT_MUTATE_WORKERS ?? 2),
    timeoutMS: 5_000,
    reporters: ['progress-append-only', 'clear-text', 'html', 'json'],
    htmlReporter: { fileName: `${folder}/report.html` },
    jsonReporter: { fileName: `${folder}/report.json` },
    clearTextReporter: { allowColor: false, logTests: false, reportTests: false },
    allowConsoleColors: false,
  }).runMutationTest();
  const counted = results.filter(
    ({ status }) => status !== 'Ignored' && status !== 'CompileError' && status !== 'RuntimeError',
  );
  const killed = counted.filter(({ status }) => status === 'Killed' || status === 'Timeout').length;
  return { killed, total: counted.length };
}

function line(name: string, { killed, total }: typeof all): string {
  return `${name}: ${killed} of ${total} noticed, ${((100 * killed) / total).toFixed(1)} %`;
}
