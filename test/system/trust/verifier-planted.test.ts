import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { IdRemapping } from '../../../server/store/id-remapping.ts';
import { canonicalJson } from '../../../shared/contract/canonical-json.ts';
import {
  AT,
  AUTHORITY,
  authored,
  type Content,
  certified,
  change,
  entered,
  IAN,
  keyOf,
  moved,
  OLGA,
  OTHER,
  publicOf,
  sessionOf,
  signed,
  Trail,
} from './authored-trail.ts';
import type { Line } from './trail-file.ts';
import { Verifier } from './verifier.ts';

/**
 * The negative control of `forged-trail` and `authored-trail`: what somebody altered in what a verifier reads is found by the verifier, and let
 * through by one that lacks just the check that finds it.
 */

const PROGRAM = readFileSync(
  fileURLToPath(new URL('../../../docs/verify/verify.mjs', import.meta.url)),
  'utf8',
);
const [own, second] = [Verifier.own(), Verifier.second()];
let folder: string;
let count = 0;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'holdpoint-planted-'));
});
afterAll(async () => {
  await Promise.all([own.close(), second.close()]);
  rmSync(folder, { recursive: true });
});

const sha256 = (value: unknown) => createHash('sha256').update(canonicalJson(value)).digest('hex');

function file(text: string): string {
  count += 1;
  const path = join(folder, `${count}.json`);
  writeFileSync(path, text);
  return path;
}
const trail = (lines: readonly Line[]) => file(lines.map(line => `${JSON.stringify(line)}\n`).join(''));
const kept = (lines: readonly Line[]) =>
  file(JSON.stringify({ format: 'holdpoint checkpoints 1', checkpoints: [lines.at(-1)?.checkpoint] }));

/** The program without a check; its text has to be there once. */
function without(check: string, instead: string): string {
  const [before, after, more] = PROGRAM.split(check);
  if (before === undefined || after === undefined || more !== undefined)
    throw new Error(`verify.mjs does not have once: ${check}`);
  count += 1;
  const path = join(folder, `verify-${count}.mjs`);
  writeFileSync(path, before + instead + after);
  return path;
}

function run(program: string, words: readonly string[]): Promise<{ code: number; output: string }> {
  return new Promise(resolve => {
    execFile(process.execPath, [program, ...words], (error, stdout, stderr) => {
      const code = error === null ? 0 : typeof error.code === 'number' ? error.code : 99;
      resolve({ code, output: `${stdout}${stderr}` });
    });
  });
}

const mine = () => authored(entered());
const byProgram = () =>
  entered({ user: 'scale', entries: [{ subject: 'supplier:8', changes: [change('name', 'Beta')] }] });
const genuine = () => mine().authorship as object;
const whole = () => new Trail().add(mine()).add(byProgram()).end();
/** One line altered, and nothing made right. */
const altered = (from: string, to: string) => {
  const lines = whole().map(line => JSON.stringify(line));
  const place = lines.findLastIndex(line => line.includes(from));
  return file(`${lines.with(place, (lines[place] ?? '').replace(from, to)).join('\n')}\n`);
};

const STATION = keyOf(6);
function withEnd(key = STATION): Line[] {
  const lines = new Trail()
    .add({
      ...certified({ station: 's', name: 'Dock', key: publicOf(STATION) }, 'station_enrolled'),
      chain: 'c.1',
    })
    .add(entered({ user: 'scale' }))
    .end();
  const { chain, number, hash } = lines.findLast(({ commit }) => commit?.chain === 's.1')?.commit ?? {};
  const content = { says: 'holdpoint: chain', chain, number, hash, key: publicOf(STATION) };
  Object.assign(lines[0] ?? {}, { ends: [{ ...content, signature: signed(key, canonicalJson(content)) }] });
  return lines;
}

function recallPackage(): string {
  const section = (content: unknown) => {
    const size = Array.isArray(content) ? content.length : 1;
    return { content, sha256: sha256(content), count: size };
  };
  const content = (lots: number) => ({
    format: 'holdpoint-recall',
    subject: 'lot:7',
    station: 'c',
    made_at: AT,
    trace: section({ lots }),
    records: section([]),
    history: section([]),
  });
  const said = {
    says: 'holdpoint: recall package',
    installation: 'c',
    key: publicOf(AUTHORITY),
    sha256: sha256(content(3)),
  };
  const signature = signed(AUTHORITY, canonicalJson(said));
  // Two of three lots are taken out, and each hash is made right again.
  const told = { ...content(1), signed: { ...said, signature } };
  return file(JSON.stringify({ ...told, package_sha256: sha256(told) }));
}

function report(): string {
  const content = {
    format: 'holdpoint validation 1',
    says: 'holdpoint: validation',
    key: publicOf(AUTHORITY),
    installation: 'c',
    began_at: AT,
    verdict: 'failed',
    requirements: [{ id: 'A-1', verdict: 'failed', steps: [] }],
  };
  const signature = signed(AUTHORITY, canonicalJson(content));
  const requirements = [{ id: 'A-1', verdict: 'passed', steps: [{ is_right: true }] }];
  return file(JSON.stringify({ ...content, verdict: 'passed', requirements, signature }));
}

function seenOther(): Line[] {
  const { seen } = new Trail().add(entered({ user: 'scale' }));
  const after = new Trail().add(entered({ user: 'scale', reason: 'As agreed.' }));
  return after.add(authored(entered(), sessionOf(OLGA), { seen })).end();
}

/** A signature under a record, of which the last character has a bit that is of no byte. */
function respelt(): Line[] {
  const about = { subject: 'ncr:7', user_id: 1, user_name: 'Olga', at: AT, meaning: 'closing', reason: null };
  const said = { ...about, version: 1, state: 'ab' };
  const text = canonicalJson({ ...said, says: 'holdpoint: signature' });
  const proof = signed(OLGA, text);
  const last = { A: 'B', Q: 'R', g: 'h', w: 'x' }[proof.slice(-1)];
  const fields = { ...said, signed: text, key: publicOf(OLGA), proof: `${proof.slice(0, -1)}${last}` };
  const changes = Object.entries(fields).map(([path, value]) => change(path, value));
  return new Trail().add(entered({ user: 'scale', entries: [{ subject: 'signature:7', changes }] })).end();
}

/** Of a central that an installation joined, where Olga had a key. @param key by which her session is. @param left commits that are left of its former chain */
function joined(key = OLGA, left = 2): Line[] {
  const user = [change('login', 'olga'), change('public_key', publicOf(OLGA))];
  const contents = [
    entered({ chain: 's.0', user: 'root', entries: [{ subject: 'user:1', changes: user }] }),
    authored(entered({ chain: 's.0' }), sessionOf(key)),
  ];
  let head = { number: 0, hash: '' };
  const former = contents.map(content => {
    const placed = { ...content, number: head.number + 1, previous_hash: head.hash };
    head = { number: placed.number, hash: sha256(placed) };
    return { commit: { ...placed, hash: head.hash } } as Line;
  });
  const ends = change('former_chains', { 's.0': head });
  const moving = entered({ user: 'boss', entries: [{ subject: 'moved:1048577', changes: [ends] }] });
  const lines = new Trail().add(moving).end();
  return [...lines.slice(0, -1), ...former.slice(0, left), ...lines.slice(-1)];
}

/** What Olga signed by before her installation joined. */
const FORMER = keyOf(7);

interface Claimed {
  /** What becomes of what was issued again. */
  alter?: (content: Content) => Content;
  /** What central found of it; none: nothing. */
  isSame?: boolean | undefined;
  /** Whether a person had to let it in. */
  isLetIn?: boolean;
  /** What became of her key since. */
  after?: Content[];
  /** What becomes of it before the installation joins. */
  before?: (content: Content) => Content;
}

/** Of a central that an installation joined: what Olga had signed there was issued again, and she has claimed the key of then. */
function claimed({ alter, isSame = true, isLetIn = false, after = [], before }: Claimed = {}): Line[] {
  const user = [change('login', 'olga'), change('public_key', publicOf(FORMER))];
  const trail = new Trail();
  const hers = authored(entered({ chain: 's.0' }), sessionOf(FORMER));
  const contents = [
    entered({ chain: 's.0', user: 'root', entries: [{ subject: 'user:1', changes: user }] }),
    before?.(hers) ?? hers,
  ];
  let head = { number: 0, hash: '' };
  const former = contents.map(content => {
    const placed = { ...content, number: head.number + 1, previous_hash: head.hash };
    head = { number: placed.number, hash: sha256(placed) };
    return { commit: { ...placed, hash: head.hash } } as Line;
  });
  const ends = change('former_chains', { 's.0': head });
  trail.add(entered({ user: 'boss', entries: [{ subject: 'moved:1048577', changes: [ends] }] }));
  const commit_id = new IdRemapping({ blocks: [], chain: 's.1', isCompanyReplaced: false }).commitId(
    hers.commit_id,
  );
  const again = { ...moved(hers), chain: 's.1', commit_id };
  const issued = alter?.(again) ?? again;
  if (isLetIn) trail.hold(issued).release(issued);
  else trail.add(issued);
  const central = (details: unknown, kind: string) => ({ ...certified(details, kind), chain: 'c.1' });
  trail.add(central({ station: 's', chain: 's.1', is_same: isSame }, 'archive_checked'));
  const said = { station: 's', user_id: 1, login: 'olga', key: publicOf(OLGA), at: AT };
  const claim = { ...said, former_key: publicOf(FORMER) };
  const text = canonicalJson({ says: 'holdpoint: former key', ...claim });
  const proofs = { proof: signed(OLGA, text), former_proof: signed(FORMER, text) };
  trail.add(certified({ ...claim, ...proofs }, 'former_key_claimed'));
  for (const content of after) trail.add(content);
  const lines = trail.end();
  return [...lines.slice(0, -1), ...former, ...lines.slice(-1)];
}

const givenOtherIds = (output: string) => Number(/(\d+) given other ids since/.exec(output)?.[1]);

it('what was signed before an installation joined is of who claims it', async () => {
  for (const verifier of [own, second]) {
    const { code, output } = await verifier.verify(trail(claimed()));
    expect([code, givenOtherIds(output)], output).toEqual([0, 1]);
  }
});

const revoked = entered({
  commit_id: 'revoking',
  chain: 'c.1',
  user: 'root',
  entries: [{ subject: 'user:1', changes: [change('revoked_keys', [publicOf(OLGA)])] }],
});

it.each<[string, Claimed, [string, string]?]>([
  [
    'under another id than it would have been given',
    { alter: content => ({ ...content, commit_id: 'another' }) },
    [' && id === issuedAs(there.id, chain)', ''],
  ],
  ['of another station', { alter: content => ({ ...content, chain: 't.1' }) }],
  ['that a person had to let in', { isLetIn: true }, ['mayCount && ', '']],
  [
    'of what central found to be another one',
    { isSame: false },
    [' || same.get(chain) !== true) return false', ') return false'],
  ],
  [
    'by a key that was revoked',
    { after: [revoked] },
    ['filter(key => !revoked.get', 'filter(() => true || revoked.get'],
  ],
])('nothing is of who claims it %s', async (_, what, planted) => {
  const path = trail(claimed(what));
  for (const verifier of [own, second]) {
    const { code, output } = await verifier.verify(path);
    expect([code, givenOtherIds(output)], output).toEqual([0, 0]);
  }
  if (!planted) return;
  const through = await run(without(...planted), [path]);
  expect(givenOtherIds(through.output), through.output).toBe(1);
});

interface Planted {
  words: () => string[];
  check: string;
  instead: string;
  /** The second verifier reads trails and packages. */
  isFirstOnly?: boolean;
}

const planted: Record<string, Planted> = {
  'a value': {
    words: () => [altered('"Beta"', '"Best"')],
    check: 'if (sha256(canonical(content)) !== hash)\n      fault(where,',
    instead: 'if (false)\n      fault(where,',
  },
  'what central decided': {
    words: () => [altered('"reason":null,"effects"', '"reason":"As agreed.","effects"')],
    check: 'if (expected !== line.hash)',
    instead: 'if (false)',
  },
  'when the end was signed': {
    words: () => [altered('"at":"2026', '"at":"2025')],
    check: 'return isMeant && isSignedBy(content.key, canonical(content), signature);',
    instead: 'return isMeant;',
  },
  'a signature of nothing': {
    words: () => [
      trail(new Trail().add({ ...entered(), authorship: { ...genuine(), proof: 'A'.repeat(86) } }).end()),
    ],
    check: 'if (!isSignedBy(session.session_key, signed ?? text, proof))',
    instead: 'if (false)',
  },
  'a session that nobody certified': {
    words: () => [
      trail(new Trail().add(authored(entered(), sessionOf(OLGA, { proof: 'A'.repeat(86) }))).end()),
    ],
    check: 'if (!isPending && !isCertificate(session))',
    instead: 'if (false)',
  },
  'a session that was over': {
    words: () => [
      trail(new Trail().add(authored(entered({ at: '2026-07-15T12:00:00.000Z' }), sessionOf(OLGA))).end()),
    ],
    check: 'if (!isInForce(session, commit.at)) return',
    instead: 'if (false) return',
  },
  'a session of a key that nobody has': {
    words: () => [trail(new Trail().add(authored(entered(), sessionOf(OTHER))).end())],
    check: '!isOf(session, subject) || (!isPending && !own?.has(session.key))',
    instead: 'false',
  },
  "a session of somebody else's": {
    words: () => [
      trail(new Trail().add(authored(entered(), sessionOf(IAN, { user_id: 2, login: 'ian' }))).end()),
    ],
    check: 'const isOf = ({ user_id: id }, subject) =>',
    instead: 'const isOf = ({ user_id: id }, subject) => true ||',
  },
  'what was signed once, a second time': {
    words: () => {
      const one = mine();
      return [trail(new Trail().add(one).add(moved(one)).end())];
    },
    check: 'if (isInLog && signed.has(once))',
    instead: 'if (false)',
  },
  'another history than its author had seen': {
    words: () => [trail(seenOther())],
    check: 'if (of === epoch && sequence > 0 && stood !== undefined && stood !== hash)',
    instead: 'if (false)',
  },
  'the end of a chain that its station did not sign': {
    words: () => [trail(withEnd(OTHER))],
    check: 'if (isSignedEnd(end) && !ends.has(end.chain))',
    instead: 'if (!ends.has(end.chain))',
  },
  'a history that was signed otherwise before': {
    words: () => [
      trail(new Trail().add(entered({ user: 'scale', reason: 'As agreed.' })).end()),
      '--checkpoint',
      kept(new Trail().add(entered({ user: 'scale' })).end()),
    ],
    check: 'if (found) fault(where,',
    instead: 'if (found) String(where,',
  },
  'a signature in another spelling': {
    words: () => [trail(respelt())],
    check: '!isKey(x) || !isSignature(signature) || ',
    instead: '',
  },
  'a key that the author did not have before the installation joined': {
    words: () => [trail(joined(OTHER))],
    check: 'if (!isTheirs)',
    instead: 'if (false)',
  },
  'what somebody signed, put over other entries before the installation joined': {
    words: () => [
      trail(claimed({ before: one => ({ ...moved(one), commit_id: one.commit_id }), isSame: false })),
    ],
    check: 'if (authorship.signed !== undefined)',
    instead: 'if (false)',
  },
  'the end of what an installation had before it joined, taken out': {
    words: () => [trail(joined(OLGA, 1))],
    check: 'if (heads[name]?.number !== end?.number || heads[name]?.hash !== end?.hash)',
    instead: 'if (false)',
  },
  'a recall package': {
    words: () => [recallPackage()],
    check: 'if (!isMeant || !isIts || !isSignedBy(said.key, canonical(said), signature))',
    instead: 'if (false)',
  },
  'a validation report': {
    words: () => [report()],
    check: 'if (!isMeant || !isSignedBy(key, canonical(content), signature))',
    instead: 'if (false)',
    isFirstOnly: true,
  },
};

it.each(Object.entries(planted))(
  '%s, altered in what is read, is found where it is looked at',
  async (_, one) => {
    const words = one.words();
    const found = await own.verify(...words);
    expect(found.code, found.output).toBe(1);
    if (!one.isFirstOnly) expect((await second.verify(...words)).code).toBe(1);
    const through = await run(without(one.check, one.instead), words);
    expect(through.code, through.output).toBe(0);
  },
);

it('and nothing of what is whole', async () => {
  for (const words of [
    [trail(whole())],
    [trail(withEnd())],
    [trail(joined())],
    [trail(whole()), '--checkpoint', kept(whole())],
  ])
    for (const verifier of [own, second]) {
      const { code, output } = await verifier.verify(...words);
      expect(code, output).toBe(0);
    }
});
