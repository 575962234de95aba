import { execFile } from 'node:child_process';
import { createPublicKey, type KeyObject, randomUUID, sign } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { canonicalJson } from '../../../shared/contract/canonical-json.ts';
import { temporaryFolder } from '../../server/store/sqlite/temporary-folder.ts';
import { hashedAnew, type Line, otherKey, signedAnew, type TrailCommit, writeTrail } from './trail-file.ts';

/** Trails and checkpoints that somebody made up who wants to hear that nothing is wrong. */

const VERIFIER = fileURLToPath(new URL('../../../docs/verify/verify.mjs', import.meta.url));
const KEY = otherKey();
const AT = '2026-06-30T12:00:00.000Z';

const commitOf = (chain: string, reason: string): TrailCommit => ({
  chain,
  number: 0,
  commit_id: randomUUID(),
  at: AT,
  user: 'admin',
  reason,
  entries: [],
  previous_hash: '',
  hash: '',
});

type Ends = Omit<NonNullable<Line['checkpoint']>, 'signature' | 'key' | 'says' | 'installation' | 'at'>;

const header = (installation = 'a1', start: Line['log_after'] = { sequence: 0, hash: '' }) => ({
  format: 'holdpoint trail 1',
  installation,
  version: '1',
  made_at: AT,
  log_after: start,
});

const unsigned = (ends: Ends, installation = 'a1') => ({
  says: 'holdpoint: checkpoint' as const,
  installation,
  key: '',
  at: AT,
  ...ends,
  signature: '',
});

/** Of a central: everything stands in the log. */
function centralTrail(reasons: readonly string[], key = KEY, installation = 'a1'): Line[] {
  const entries = reasons.map(reason => ({
    sequence: 1,
    decisions: [{ outcome: 'applied' }],
    commit: commitOf('c.1', reason),
  }));
  const log = { epoch: 'e1', sequence: 1, hash: '' };
  const end = unsigned({ log, chain: { chain: 'c.1', number: 1, hash: '' } }, installation);
  return signedAnew(hashedAnew([header(installation), ...entries, { checkpoint: end }]), key);
}

/** Of an installation that stands alone. */
function aloneTrail(chain: string, reasons: readonly string[], installation = 'a1', key = KEY): Line[] {
  const end = unsigned({ log: null, chain: { chain, number: 1, hash: '' } }, installation);
  const commits = reasons.map(reason => ({ commit: commitOf(chain, reason) }));
  return signedAnew(hashedAnew([header(installation, null), ...commits, { checkpoint: end }]), key);
}

function signedBy(ends: Ends, key = KEY, installation = 'a1'): Line['checkpoint'] {
  return signedAnew([{ checkpoint: unsigned(ends, installation) }], key)[0]?.checkpoint;
}

const endOf = (lines: readonly Line[]) => lines.at(-1)?.checkpoint;

function keptFile(...checkpoints: unknown[]): string {
  const file = join(temporaryFolder(), 'kept.json');
  writeFileSync(file, JSON.stringify({ format: 'holdpoint checkpoints 1', checkpoints }));
  return file;
}

function trailFile(lines: readonly Line[]): string {
  const file = join(temporaryFolder(), 'trail.jsonl');
  writeTrail(file, lines);
  return file;
}

/** As it stands, for what no program writes. */
function textFile(lines: readonly string[]): string {
  const file = join(temporaryFolder(), 'trail.jsonl');
  writeFileSync(file, lines.map(line => `${line}\n`).join(''));
  return file;
}

const textsOf = (lines: readonly Line[]) => lines.map(line => JSON.stringify(line));

function verified(file: string, ...kept: string[]): Promise<{ code: number; output: string }> {
  const words = kept.flatMap(one => ['--checkpoint', one]);
  return new Promise(resolve => {
    execFile(process.execPath, [VERIFIER, file, ...words], (error, stdout, stderr) => {
      const code = error === null ? 0 : typeof error.code === 'number' ? error.code : 99;
      resolve({ code, output: `${stdout}${stderr}` });
    });
  });
}

async function isFound(file: string, ...kept: string[]): Promise<string> {
  const { code, output } = await verified(file, ...kept);
  expect(output).not.toContain('Nothing is wrong');
  expect(code).not.toBe(0);
  return output;
}

const SOUND = ['one', 'two', 'three'];
const REWRITTEN = ['one', 'as agreed', 'three'];

it('takes what is whole', async () => {
  const central = centralTrail(SOUND);
  expect(await verified(trailFile(central), keptFile(endOf(central)))).toMatchObject({ code: 0 });
  const alone = aloneTrail('c.1', SOUND);
  const { code, output } = await verified(trailFile(alone), keptFile(endOf(alone)));
  expect(output).toContain('1 of 1 places are as they were signed');
  expect(code).toBe(0);
});

describe('a history that was rewritten by who has the key is found by a checkpoint that was kept', () => {
  const kept = () => keptFile(endOf(centralTrail(SOUND)));
  const keptAlone = () => keptFile(endOf(aloneTrail('c.1', SOUND)));

  it('also where another one of the same place is given with it', async () => {
    const lines = centralTrail(REWRITTEN);
    const file = trailFile(lines);
    const anothers = keptFile(signedBy(endOf(lines) ?? { log: null, chain: null }, otherKey(), 'b2'));
    expect(await isFound(file, kept(), anothers)).toContain('history was rewritten');
    expect(await isFound(file, anothers, kept())).toContain('history was rewritten');
  });

  it('also where it stands in a chain of another name', async () => {
    expect(await isFound(trailFile(aloneTrail('c.2', REWRITTEN)), keptAlone())).toContain('is not here');
  });

  it('also where it is told as the history of another installation', async () => {
    const lines = aloneTrail('c.2', REWRITTEN, 'a2', otherKey());
    expect(await isFound(trailFile(lines), keptAlone())).toContain('is not here');
  });

  it('also where the log is said to begin later', async () => {
    const [, ...entries] = centralTrail(REWRITTEN);
    const later = header('a1', { sequence: 1_000, hash: 'ab'.repeat(32) });
    const lines = signedAnew(hashedAnew([later, ...entries]), KEY);
    expect(await isFound(trailFile(lines), kept())).toContain('it cannot be compared');
    expect((await verified(trailFile(lines))).code).toBe(3);
  });

  it('also where the former one is told as given up', async () => {
    const former = aloneTrail('c.1', SOUND).slice(1, -1);
    const keptFormer = endOf(hashedSame(former));
    const [first, ...rest] = aloneTrail('c.2', REWRITTEN);
    const givenUp = former.map(line => ({ ...line, is_abandoned: true as const }));
    const file = trailFile([first ?? header(), ...givenUp, ...rest]);
    expect(await isFound(file, keptFile(keptFormer))).toContain('is not here');
  });

  /** The checkpoint that was signed of just these commits. */
  function hashedSame(commits: readonly Line[]): Line[] {
    const last = commits.at(-1)?.commit;
    const chain = last ? { chain: last.chain, number: last.number, hash: last.hash } : null;
    const checkpoint = signedBy({ log: null, chain });
    return checkpoint ? [...commits, { checkpoint }] : [...commits];
  }
});

describe('a trail that somebody changed who has no key', () => {
  const sound = centralTrail(SOUND);
  const put = (line: Line) => trailFile(sound.toSpliced(-1, 0, line));

  it('by a commit beside the log is found', async () => {
    const [made] = hashedAnew([{ commit: commitOf('d.1', 'Approved') }]);
    expect(await isFound(put(made ?? {}))).toContain('1 commits are neither in the log nor in a chain');
    const [, own] = hashedAnew([sound[1] ?? {}, { commit: commitOf('c.1', 'Approved') }]);
    expect(await isFound(put(own ?? {}))).toContain('does not');
  });

  it('by leaving out how it began is told as a part', async () => {
    const { sequence = 0, hash = '' } = sound[2] ?? {};
    const lines = [header('a1', { sequence, hash }), ...sound.slice(3)];
    const { code, output } = await verified(trailFile(lines));
    expect(output).toContain('Only a part of history');
    expect(output).not.toContain('Nothing is wrong');
    expect(code).toBe(3);
    const alone = aloneTrail('c.1', SOUND);
    expect(await isFound(trailFile(alone.toSpliced(1, 1)))).toContain('does not follow the beginning');
  });

  it('by telling an entry of the log as given up is found', async () => {
    const lines = sound.map((line, index) => (index === 2 ? { ...line, is_abandoned: true as const } : line));
    expect(await isFound(trailFile(lines))).toContain('it is no line of a trail');
  });

  it.each<[string, (texts: string[]) => string[]]>([
    [
      'a member that stands twice',
      texts => changed(texts, one => one.replace('"user":', '"user":"quality","user":')),
    ],
    ['a number in another form', texts => changed(texts, one => one.replace('"number":2', '"number":2.0'))],
    ['line ends of another system', texts => changed(texts, one => `${one}\r`)],
    ['white space', texts => changed(texts, one => ` ${one}`)],
    ['a mark of the byte order', ([first = '', ...rest]) => [`\uFEFF${first}`, ...rest]],
    ['a member beside the commit', texts => changed(texts, one => one.replace(/}$/, ',"note":"void"}'))],
    ['a sequence as text', texts => changed(texts, one => one.replace('"sequence":2', '"sequence":"2"'))],
    ['no decisions', texts => changed(texts, one => one.replace(/"decisions":.*?\],/, ''))],
    ['nothing but null', texts => texts.with(2, 'null')],
    ['a list', texts => texts.with(2, '[]')],
  ])('by %s is found', async (_name, change) => {
    const texts = change(textsOf(sound));
    expect(texts).not.toEqual(textsOf(sound));
    await isFound(textFile(texts));
  });

  const changed = (texts: string[], change: (text: string) => string) =>
    texts.with(2, change(texts[2] ?? ''));
});

describe('a checkpoint', () => {
  it.each<[string, object]>([
    ['of no place', { log: null, chain: null }],
    [
      'of a place that is a text',
      { log: { epoch: 'e1', sequence: '1', hash: 'ab'.repeat(32) }, chain: null },
    ],
    ['of a hash that is none', { log: null, chain: { chain: 'c.1', number: 1, hash: 'x' } }],
  ])('%s is none', async (_name, ends) => {
    const content = { ...unsigned({ log: null, chain: null }), ...ends };
    const file = keptFile(signedFreely(content, KEY));
    expect(await isFound(file)).toContain('it has not the form of a checkpoint');
  });

  it('cannot write what the screen shows', async () => {
    const said = { ...unsigned({ log: null, chain: { chain: 'c', number: 1, hash: 'ab'.repeat(32) } }) };
    const file = keptFile(signedFreely({ ...said, at: '\u001b[2J\nNothing is wrong with it.\u202e' }, KEY));
    const { output } = await verified(file);
    for (const one of ['\u001b', '\u202e']) expect(output).not.toContain(one);
    expect(output.trimEnd().split('\n')).toHaveLength(2);
  });

  function signedFreely({ signature: _, ...content }: Record<string, unknown>, key: KeyObject): object {
    const told = { ...content, key: createPublicKey(key).export({ format: 'jwk' }).x };
    return { ...told, signature: sign(null, Buffer.from(canonicalJson(told)), key).toString('base64url') };
  }
});
