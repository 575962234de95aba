import { createHash, type KeyObject } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { canonicalJson } from '../../../shared/contract/canonical-json.ts';
import type { Checkpoint } from '../../../shared/operations/checkpoint-operations.ts';
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
  OLGA,
  OTHER,
  publicOf,
  sessionOf,
  signed,
  Trail,
} from './authored-trail.ts';
import { type Line, signedAnew, writeTrail } from './trail-file.ts';
import { Verifier } from './verifier.ts';

/** By which the end is signed in the place of central's. */
const NEXT = keyOf(7);
const fingerprintOf = (key: KeyObject) =>
  createHash('sha256')
    .update(Buffer.from(publicOf(key), 'base64url'))
    .digest('hex');
const sha256 = (value: unknown) => createHash('sha256').update(canonicalJson(value)).digest('hex');

let folder: string;
const verifiers = [Verifier.own(), Verifier.second()];
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'holdpoint-beside-'));
});
afterAll(async () => {
  await Promise.all(verifiers.map(one => one.close()));
  rmSync(folder, { recursive: true });
});

/** What both verifiers say. @param kept checkpoints from elsewhere, by central's key of before */
async function verdict(
  lines: readonly Line[],
  kept?: Checkpoint,
): Promise<{ codes: number[]; output: string }> {
  const [file, elsewhere] = [join(folder, 'trail.jsonl'), join(folder, 'kept.json')];
  writeTrail(file, lines);
  writeFileSync(elsewhere, JSON.stringify({ format: 'holdpoint checkpoints 1', checkpoints: [kept] }));
  const words = kept ? ['--checkpoint', elsewhere, '--key', fingerprintOf(AUTHORITY)] : [];
  const said = await Promise.all(verifiers.map(one => one.verify(file, ...words)));
  return { codes: said.map(({ code }) => code), output: said.map(({ output }) => output).join('\n') };
}

/** Commits that are not in the log. */
function beside(...contents: Content[]): Line[] {
  const heads = new Map<string, { number: number; hash: string }>();
  return contents.map(content => {
    const head = heads.get(content.chain) ?? { number: 0, hash: '' };
    const placed = { ...content, number: head.number + 1, previous_hash: head.hash };
    heads.set(content.chain, { number: placed.number, hash: sha256(placed) });
    return { commit: { ...placed, hash: sha256(placed) } } as Line;
  });
}

const endOf = (lines: readonly Line[]) => {
  const { chain = '', number = 0, hash = '' } = lines.at(-1)?.commit ?? {};
  return { chain, number, hash };
};

/** The file with what stands beside the log, its end signed anew. @param members of the checkpoint, in the place of its own */
function withBeside(
  lines: readonly Line[],
  { first = [], last = [] }: { first?: Line[]; last?: Line[] },
  key = AUTHORITY,
  members: Partial<Checkpoint> = {},
): Line[] {
  const end = lines.at(-1)?.checkpoint;
  const [header, ...further] = lines.slice(0, -1);
  if (!end || !header) throw new Error('There is no end.');
  return signedAnew([header, ...first, ...further, ...last, { checkpoint: { ...end, ...members } }], key);
}

const KEYS = [
  [11, OTHER],
  [12, IAN],
] as const;

/** Two users who administer, each with a key. */
const administrators = (chain: string) =>
  KEYS.map(([id, key]) =>
    entered({
      chain,
      user: 'root',
      entries: [
        {
          subject: `user:${id}`,
          changes: Object.entries({
            ...{ login: `admin${id}`, public_key: publicOf(key), is_active: true },
            roles: ['administrator'],
          }).map(([path, value]) => change(path, value)),
        },
      ],
    }),
  );

/** Both certify another key in the place of central's. */
const certificates = (chain: string) =>
  KEYS.map(([id, key]) => {
    const said = {
      ...{ installation: 'c', former: publicOf(AUTHORITY), key: publicOf(NEXT), user_id: id },
      ...{ login: `admin${id}`, signer: publicOf(key), at: AT, reason: 'Lost.' },
    };
    const text = canonicalJson({ says: 'holdpoint: authority key', ...said });
    return { ...certified({ ...said, proof: signed(key, text) }, 'authority_certified'), chain };
  });

/** What the installation had before it joined: Olga's there, of which the id and login are those of Olga here. */
const ofBefore = (key = OLGA): Line[] =>
  beside(
    entered({
      chain: 's.0',
      user: 'root',
      entries: [
        { subject: 'user:1', changes: [change('login', 'olga'), change('public_key', publicOf(key))] },
      ],
    }),
    authored(entered({ chain: 's.0' }), sessionOf(key)),
  );

const joining = (archive: readonly Line[]) => {
  const { chain, ...end } = endOf(archive);
  const changes = [change('former_chains', { [chain]: end })];
  return entered({ user: 'boss', entries: [{ subject: 'moved:1048577', changes }] });
};

const checkpointOf = (lines: readonly Line[]) => lines.at(-1)?.checkpoint;

function added(trail: Trail, ...contents: Content[]): Trail {
  for (const content of contents) trail.add(content);
  return trail;
}

describe('the key of central', () => {
  it('is another one by what administrators have certified who were that before', async () => {
    const founded = () => added(new Trail(), ...administrators('c.1'));
    const kept = checkpointOf(founded().end());
    const lines = added(founded(), ...certificates('c.1')).end();
    const { codes, output } = await verdict(signedAnew(lines, NEXT), kept);
    expect(codes, output).toEqual([0, 0]);
  });

  it('is no other one by those who came after what was signed, though what an installation had before it joined stands after them', async () => {
    const archive = ofBefore();
    const site = () => new Trail().add(joining(archive));
    const others = [endOf(archive)];
    const kept = checkpointOf(withBeside(site().end(), { last: archive }, AUTHORITY, { others }));
    const lines = added(site(), ...administrators('c.1'), ...certificates('c.1')).end();
    for (const members of [{ others }, {}]) {
      const { codes, output } = await verdict(withBeside(lines, { last: archive }, NEXT, members), kept);
      expect(codes, output).toEqual([1, 1]);
      expect(output).toContain('signed by another key than the one you gave');
    }
  });

  it('is no other one by those who are beside the log, wherever they stand', async () => {
    const kept = checkpointOf(new Trail().end());
    const first = beside(...administrators('z.1'), ...certificates('z.1'));
    const others = [endOf(first)];
    const { codes, output } = await verdict(withBeside(new Trail().end(), { first }, NEXT, { others }), kept);
    expect(codes, output).toEqual([1, 1]);
    expect(output).toContain('signed by another key than the one you gave');
  });

  /** An installation of its own: there is no log. */
  function alone(lines: Line[], key: KeyObject, others: Checkpoint['others'] = []): Line[] {
    const { log: _, ...end } = checkpointOf(new Trail().end()) as Checkpoint;
    const header = { ...new Trail().lines[0], log_after: null } as Line;
    const last = lines.findLast(({ commit }) => commit?.chain === 'c.1');
    const chain = endOf(last ? [last] : []);
    return signedAnew([header, ...lines, { checkpoint: { ...end, log: null, chain, others } }], key);
  }

  it('is another one at an installation of its own too, by those whom its chain names before', async () => {
    const before = administrators('c.1');
    const kept = checkpointOf(alone(beside(...before), AUTHORITY));
    const { codes, output } = await verdict(alone(beside(...before, ...certificates('c.1')), NEXT), kept);
    expect(codes, output).toEqual([0, 0]);
  });

  it('is no other one there by those of another chain, put before what was signed', async () => {
    const own = beside(entered({ chain: 'c.1', user: 'scale' }));
    const kept = checkpointOf(alone(own, AUTHORITY));
    const forged = beside(...administrators('c.2'), ...certificates('c.2'));
    const { codes, output } = await verdict(alone([...forged, ...own], NEXT, [endOf(forged)]), kept);
    expect(codes, output).toEqual([1, 1]);
    expect(output).toContain('signed by another key than the one you gave');
  });
});

describe('what an installation had before it joined', () => {
  const archive = ofBefore();
  const site = () => new Trail().add(joining(archive)).end();

  it('is whole where it ends as its first commit after joining says, and may be missing', async () => {
    for (const last of [archive, []]) {
      const { codes, output } = await verdict(withBeside(site(), { last }));
      expect(codes, output).toEqual([0, 0]);
    }
  });

  it('is that and no more', async () => {
    const given = beside(entered({ chain: 's.0', user: 'eve' }));
    const [{ commit } = {}] = given;
    const { hash: _, ...content } = {
      ...archive[1]?.commit,
      user: 'eve',
      authorship: null,
      previous_hash: commit?.hash ?? '',
    };
    const put = { commit: { ...content, hash: sha256(content) } } as unknown as Line;
    const abandoned = { commit, is_abandoned: true } as Line;
    for (const placed of [
      { last: archive.slice(0, 1) },
      { last: archive.slice(1) },
      { last: [...archive, put] },
      { last: [archive[0] as Line, abandoned, put, archive[1] as Line] },
      { first: archive.slice(0, 1), last: archive.slice(1) },
    ]) {
      const { codes, output } = await verdict(withBeside(site(), placed));
      expect(codes, output).toEqual([1, 1]);
    }
  });

  it('teaches nothing of people in a file that begins after it joined', async () => {
    const start = { sequence: 5, hash: 'ab'.repeat(32) };
    const there = ofBefore(OTHER);
    const others = [endOf(there)];
    const part = new Trail(start).add(authored(entered({ chain: 't.1' }), sessionOf(OLGA, { station: 't' })));
    for (const place of ['first', 'last']) {
      const lines = withBeside(part.end(), { [place]: there }, AUTHORITY, { others });
      const { codes, output } = await verdict(lines);
      expect(codes, output).toEqual([3, 0]);
      expect(output.match(/people: 1 proved/g) ?? [], output).toHaveLength(2);
      expect(output).not.toContain('gave olga another key');
      // Whoever has that key there is nobody here.
      const claimed = new Trail(start).add(authored(entered({ chain: 't.1' }), sessionOf(OTHER)));
      const wrong = await verdict(withBeside(claimed.end(), { [place]: there }, AUTHORITY, { others }));
      expect(wrong.codes, wrong.output).toEqual([1, 1]);
    }
  });
});
