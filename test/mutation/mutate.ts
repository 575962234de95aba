import { existsSync, mkdirSync } from 'node:fs';
import { matchesGlob } from 'node:path';
import { Stryker } from '@stryker-mutator/core';
import { isPartName, type Part, type PartName, parts } from './parts.ts';

/**
 * `npm run mutate`, or `npm run mutate -- sampling gs1` for some parts, or `npm run mutate -- server/rules/signing.ts`
 * for some files of one: changes the code in small ways, one at a time, and counts the changes that a test notices. What
 * it found of unchanged code and tests it keeps in `reports/mutation` and does not run again.
 */
const FLOOR = 85;
const all = Object.keys(parts).filter(isPartName);
const given = process.argv.slice(2);
const files = given.filter(name => name.endsWith('.ts'));
const wrong = given.find(name => !isPartName(name) && partOf(name) === undefined);
if (wrong !== undefined) {
  const known = Object.keys(parts).join(', ');
  throw new Error(
    `There is no part "${wrong}", and no file of a part. Give one of ${known}, or a file of one.`,
  );
}
// The rules' tests open real stores; that their files survive a power cut is not what is tested here.
if (existsSync('/dev/shm')) process.env.TMPDIR = '/dev/shm';
const names =
  given.length > 0 ? all.filter(name => given.some(one => one === name || partOf(one) === name)) : all;

const lines: string[] = [];
let isBelow = false;
const sum = { killed: 0, total: 0 };
for (const name of names) {
  const found = await run(name);
  sum.killed += found.killed;
  sum.total += found.total;
  isBelow ||= found.killed / found.total < FLOOR / 100;
  lines.push(line(name, found));
}
process.stdout.write(`${[...lines, line('all', sum)].join('\n')}\n`);
if (isBelow) process.exitCode = 1;

function filesOf(name: PartName): string[] {
  return files.filter(file => partOf(file) === name);
}

/** The part that mutates the file. */
function partOf(file: string): PartName | undefined {
  const isOf = (patterns: string[]) => patterns.some(pattern => matchesGlob(file, pattern));
  return all.find(name => {
    const { mutate }: Part = parts[name];
    const left = mutate.filter(pattern => pattern.startsWith('!')).map(pattern => pattern.slice(1));
    return isOf(mutate.filter(pattern => !pattern.startsWith('!'))) && !isOf(left);
  });
}

async function run(name: PartName): Promise<typeof sum> {
  process.env.HOLDPOINT_MUTATE = name;
  const folder = `reports/mutation/${name}`;
  mkdirSync(folder, { recursive: true });
  const results = await new Stryker({
    mutate: given.includes(name) || files.length === 0 ? [...parts[name].mutate] : filesOf(name),
    testRunner: 'vitest',
    // Named, so that it is found where packages are linked from elsewhere.
    plugins: ['@stryker-mutator/vitest-runner'],
    vitest: { configFile: 'test/mutation/vitest.config.ts', related: false },
    coverageAnalysis: 'perTest',
    incremental: true,
    incrementalFile: `${folder}/incremental.json`,
    ignorePatterns: ['dist', 'docs', '/reports', 'coverage'],
    // There is no checker of types here, and TypeScript 7 has no interface that could read the file.
    tsconfigFile: 'none',
    concurrency: Number(process.env.HOLDPOINT_MUTATE_WORKERS ?? 2),
    // That a machine is slow or busy is no reason to count a mutant as noticed.
    timeoutMS: 30_000,
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

function line(name: string, { killed, total }: typeof sum): string {
  return `${name}: ${killed} of ${total} noticed, ${((100 * killed) / total).toFixed(1)} %`;
}
