import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { canonicalJson } from '../../../shared/contract/canonical-json.ts';
import { ownedByNobody } from '../../server/keys/small-order.ts';
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
  pendingSession,
  publicOf,
  SESSION,
  type Session,
  sessionOf,
  signed,
  Trail,
  textOf,
} from './authored-trail.ts';
import { hashedAnew, type Line, signedAnew, writeTrail } from './trail-file.ts';
import { Verifier } from './verifier.ts';

const pathOf = (name: string) => fileURLToPath(new URL(name, import.meta.url));
const VECTOR = pathOf('../../../docs/verify/authored.jsonl');

let folder: string;
const [own, second] = [Verifier.own(), Verifier.second()];
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'holdpoint-authored-'));
});
afterAll(async () => {
  await Promise.all([own.close(), second.close()]);
  rmSync(folder, { recursive: true });
});

interface Verdict {
  code: number;
  output: string;
  /** Proved, moved, pending, not signed. */
  counts: number[];
}

async function verdictOf(by: Verifier, file: string): Promise<Verdict> {
  const { code, output } = await by.verify(file);
  const told = /commits of people: .*/.exec(output)?.[0] ?? '';
  return { code, output, counts: (told.match(/\d+/g) ?? []).map(Number) };
}

/** What both verifiers say of a trail: they have to say the same. */
async function both(lines: readonly Line[]): Promise<Verdict> {
  const file = join(folder, 'trail.jsonl');
  writeTrail(file, lines);
  const [one, other] = await Promise.all([own, second].map(by => verdictOf(by, file)));
  expect({ ...one, output: '' }, `${one?.output}\n${other?.output}`).toEqual({ ...other, output: '' });
  if (!one) throw new Error('No verdict.');
  return one;
}

const NEVER = '2026-06-15T12:10:00.000Z';
const shorter = { until: NEVER };
const LATER = '2026-06-16T12:00:00.000Z';

/** What the test vector has: one of each that is as it must be. */
function vector(): Line[] {
  const trail = new Trail();
  trail.add(authored(entered(), sessionOf(OLGA), { seen: trail.seen }));
  const pending = authored(entered({ at: LATER }), pendingSession);
  trail.hold(pending);
  trail.add(certified(sessionOf(OLGA))).add(certified(sessionOf(OLGA, shorter)));
  trail.release(pending);
  trail.add(moved(authored(entered({ reason: 'Käse, 3 °C' }))));
  trail.add(
    authored(entered({ at: LATER }), { ...pendingSession, session_key: publicOf(OTHER) }, { key: OTHER }),
  );
  trail.add(entered());
  return trail.end();
}

describe('a trail of what people have signed', () => {
  it('is as the format says, and both verifiers find it whole', async () => {
    const lines = vector();
    expect(await both(lines)).toMatchObject({ code: 0, counts: [2, 1, 1, 1] });
    const text = lines.map(line => `${JSON.stringify(line)}\n`).join('');
    // Where the format has changed, this is the vector.
    expect(readFileSync(VECTOR, 'utf8')).toBe(text);
  });

  it('names no session of a key that everybody signs by: both verifiers find it', async () => {
    const [ownerless] = ownedByNobody.filter(({ key }) => key.startsWith('AQAA'));
    if (!ownerless) throw new Error('There is none.');
    const session = sessionOf(OLGA, { session_key: ownerless.key });
    const { authorship, ...content } = authored(entered(), session);
    const forged = { ...content, authorship: { ...Object(authorship), proof: ownerless.signature } };
    const { code, output } = await both(new Trail().add(forged).end());
    expect([code, output]).toEqual([1, expect.stringContaining('is not what the session in it has signed')]);
  });

  it.each<[string, Session[]]>([
    ['first and a shorter one after it', [sessionOf(OLGA), sessionOf(OLGA, shorter)]],
    ['after a shorter one', [sessionOf(OLGA, shorter), sessionOf(OLGA)]],
    ['before one of another station', [sessionOf(OLGA), sessionOf(OLGA, { station: 'b' })]],
    ["before one of another person's key", [sessionOf(OLGA), sessionOf(IAN, { user_id: 2, login: 'ian' })]],
    ["before one of another person's key in the author's name", [sessionOf(OLGA), sessionOf(IAN)]],
    ['before one that nobody signed', [sessionOf(OLGA), sessionOf(OLGA, { proof: 'A'.repeat(86) })]],
    ['before one that says nothing', [sessionOf(OLGA), {} as Session]],
    ['before one for ever', [sessionOf(OLGA), sessionOf(OLGA, { until: '2099-01-01T00:00:00.000Z' })]],
  ])('has a certificate that counts %s', async (_, certificates) => {
    const trail = new Trail().add(authored(entered({ at: LATER }), pendingSession));
    for (const one of certificates) trail.add(certified(one));
    expect(await both(trail.end())).toMatchObject({ code: 0, counts: [1, 0, 0, 0] });
  });

  it.each<[string, unknown]>([
    ['is of less time', sessionOf(OLGA, shorter)],
    ['is of another station', sessionOf(OLGA, { station: 'b' })],
    ["is of another person's key", sessionOf(IAN, { user_id: 2, login: 'ian' })],
    ["is of another person's key in the author's name", sessionOf(IAN)],
    ['is of a key that nobody has', sessionOf(OTHER)],
    ['is of eight days', sessionOf(OLGA, { until: '2026-06-23T12:00:00.001Z' })],
    ['is of a day that there is not', sessionOf(OLGA, { until: '2026-06-31T12:00:00.000Z' })],
    ['was altered', { ...sessionOf(OLGA), from: '2026-06-15T11:00:00.000Z' }],
    ['is pending itself', pendingSession],
    ['is a text', 'olga'],
  ])('has no certificate where it %s', async (_, certificate) => {
    const trail = new Trail().add(authored(entered({ at: LATER }), pendingSession));
    trail.add(certified(certificate)).add(certified(sessionOf(OLGA), 'signed_in'));
    expect(await both(trail.end())).toMatchObject({ code: 0, counts: [0, 0, 1, 0] });
  });
});

describe('what somebody rewrites who has the key of central', () => {
  const mine = () => authored(entered());
  const as = (authorship: unknown): Content => ({ ...entered(), authorship });
  const genuine = () => mine().authorship as Record<string, unknown>;
  const bySession = (members: Partial<Session>, key = OLGA): Content =>
    authored(entered(), sessionOf(key, members));
  const long = { until: '2099-01-01T00:00:00.000Z' };
  /** Signed by the session, and said to be what this commit was. */
  const said = (text: string): Content => ({
    ...mine(),
    authorship: { ...genuine(), signed: text, proof: signed(SESSION, text) },
  });
  const original = (members: Partial<Content>) => textOf(entered({ ...members }), sessionOf(OLGA), null);

  it.each<[string, () => Content]>([
    [
      'another value',
      () => ({ ...mine(), entries: [{ subject: 'supplier:7', changes: [change('name', 'B')] }] }),
    ],
    ['another reason', () => ({ ...mine(), reason: 'As agreed.' })],
    ['another time', () => ({ ...mine(), at: '2026-06-15T13:00:00.000Z' })],
    ['another clock', () => ({ ...mine(), clock_offset: 9 })],
    ['a clock that was not believed', () => ({ ...mine(), clock_at_least: AT }) as Content],
    ['another author', () => ({ ...mine(), user: 'ian' })],
    ['another name of the commit', () => ({ ...mine(), commit_id: 'x' })],
    [
      'another history that was seen',
      () => ({ ...mine(), authorship: { ...genuine(), seen: new Trail().seen } }),
    ],
    ['a signature of nothing', () => ({ ...mine(), authorship: { ...genuine(), proof: 'A'.repeat(86) } })],
    ['a session of another key', () => bySession({}, IAN)],
    ['a session of a key that nobody has', () => bySession({}, OTHER)],
    ["a session of somebody else's", () => bySession({ user_id: 2, login: 'ian' }, IAN)],
    ['a session in the name of somebody else', () => bySession({ user_id: 2 })],
    ['a session that nobody certified', () => bySession({ proof: 'A'.repeat(86) })],
    ['a session of another key that it says is hers', () => bySession({ key: publicOf(OLGA) }, IAN)],
    ['a session that had not begun', () => bySession({ from: '2026-06-15T12:02:00.001Z' })],
    [
      'a session that was over',
      () => bySession({ from: '2026-06-10T12:00:00.000Z', until: '2026-06-15T11:57:59.999Z' }),
    ],
    ["a pending session of somebody else's", () => authored(entered({ user: 'ian' }), pendingSession)],
    ['a pending session of nobody', () => authored(entered({ user: 'nobody' }), pendingSession)],
    ['a session for ever', () => bySession(long)],
    ['a session of a time that is none', () => bySession({ from: 'now' })],
    ['a key in another spelling', () => bySession({ session_key: `${publicOf(SESSION)}=` })],
    ['a signature in another spelling', () => as({ ...genuine(), proof: `${genuine().proof}=` })],
    ['a person by a text', () => bySession({ user_id: '1' as unknown as number })],
    ['a list in its place', () => as([])],
    ['a text in its place', () => as('olga')],
    ['no session', () => as({ ...genuine(), session: null })],
    ['what was seen as a list', () => as({ ...genuine(), seen: [] })],
    ['what was signed as a number', () => as({ ...genuine(), signed: 7 })],
    ['what was signed as bytes', () => as({ ...genuine(), signed: [123, 125] })],
    ['another text that was signed', () => said('{}')],
    ['a text that is no JSON', () => said('{')],
    ['a text of lists within lists', () => said(`${'['.repeat(50_000)}${']'.repeat(50_000)}`)],
    ['a number that is none in it', () => said(original({}).replace('"new"', '"even":1e400,"new"'))],
    [
      'another use of the session',
      () => said(original({}).replace('holdpoint: commit', 'holdpoint: session')),
    ],
    ['the text of another author', () => said(original({ user: 'ian' }))],
    ['the text of another time', () => said(original({ at: LATER }))],
    ['the text of another reason', () => said(original({ reason: 'Other.' }))],
    ['the text of another station', () => said(textOf(entered(), sessionOf(OLGA, { station: 'b' }), null))],
    [
      'the text of another session',
      () => said(textOf(entered(), sessionOf(OLGA, { session_key: publicOf(IAN) }), null)),
    ],
  ])('is found by both verifiers where it is %s', async (_, forge) => {
    const verdict = await both(
      new Trail()
        .add(mine())
        .add({ ...forge(), commit_id: forge().commit_id })
        .end(),
    );
    expect(verdict, verdict.output).toMatchObject({ code: 1, counts: [1, 0, 0, 0] });
    // Where it was let in by somebody, it was known to be so.
    const trail = new Trail();
    const forged = forge();
    const known = await both(trail.add(mine()).hold(forged).release(forged).end());
    expect(known, known.output).toMatchObject({ code: 0, counts: [1, 0, 0, 1] });
    expect(known.output).toContain('let in');
  });

  it('is found where something was signed once and counts twice, under whatever ids', async () => {
    const one = mine();
    for (const pair of [
      [one, moved(one)],
      [moved(one), one],
      [moved(one), moved(one, 'supplier:10')],
    ]) {
      const trail = new Trail();
      for (const each of pair) trail.add(each);
      expect(await both(trail.end())).toMatchObject({ code: 1 });
    }
    const another = {
      ...authored(
        entered({ commit_id: one.commit_id, user: 'ian' }),
        sessionOf(IAN, { user_id: 2, login: 'ian', session_key: publicOf(OTHER) }),
        { key: OTHER },
      ),
    };
    // Under the same name somebody else may have signed something.
    expect(await both(new Trail().add(one).add(moved(another)).end())).toMatchObject({
      code: 0,
      counts: [1, 1, 0, 0],
    });
  });

  it('is found where it is another history than the one that its author had before them', async () => {
    const rewritten = (reason: string | null) => {
      const trail = new Trail();
      const { seen } = trail.add(entered({ user: 'scale' }));
      return { seen, trail: new Trail().add(entered({ user: 'scale', reason })) };
    };
    for (const [reason, code] of [
      [null, 0],
      ['As agreed.', 1],
    ] as const) {
      const { seen, trail } = rewritten(reason);
      expect(await both(trail.add(authored(entered(), sessionOf(OLGA), { seen })).end())).toMatchObject({
        code,
      });
    }
  });

  it('is told where it says that somebody brought it along, whose key nobody has here', async () => {
    const other = sessionOf(OTHER, { session_key: publicOf(OTHER) });
    const brought = moved(authored(entered(), other, { key: OTHER }));
    expect(await both(new Trail().add(brought).end())).toMatchObject({ code: 0, counts: [0, 0, 0, 1] });
  });

  it('is told where a signature was left out, also with another spelling of the login', async () => {
    for (const user of ['olga', 'OLGA', 'ｏｌｇａ'])
      expect(await both(new Trail().add(entered({ user })).end())).toMatchObject({
        code: 0,
        counts: [0, 0, 0, 1],
      });
  });
});

describe('a signature under a record', () => {
  const about = {
    user_name: 'Olga',
    at: AT,
    meaning: 'closing',
    reason: null,
    version: 1,
    state: 'ab'.repeat(32),
  };
  const textOfSignature = (said: object) => canonicalJson({ ...said, says: 'holdpoint: signature' });
  /** In a commit of a program, so that its own proof alone is judged. */
  function signature(subject: string, key = OLGA, respell = (proof: string) => proof, user_id = 1): Content {
    const text = textOfSignature({ ...about, user_id, subject: 'ncr:7' });
    const said = { ...about, user_id, subject, signed: text, key: publicOf(key) };
    const fields = { ...said, proof: respell(signed(key, text)) };
    const changes = Object.entries(fields).map(([path, value]) => change(path, value));
    return entered({ user: 'scale', entries: [{ subject: 'signature:7', changes }] });
  }
  const verdict = (content: Content) => both(new Trail().add(content).end());

  it('is whole for both verifiers, and in one spelling only', async () => {
    expect((await verdict(signature('ncr:7'))).code).toBe(0);
    const lastBit = (proof: string) => {
      const other = `${proof.slice(0, -1)}${{ A: 'B', Q: 'R', g: 'h', w: 'x' }[proof.slice(-1)]}`;
      expect(Buffer.from(other, 'base64url')).toEqual(Buffer.from(proof, 'base64url'));
      return other;
    };
    for (const respell of [lastBit, (proof: string) => `${proof}=`, (proof: string) => `${proof}==`])
      for (const subject of ['ncr:7', 'ncr:9'])
        expect((await verdict(signature(subject, OLGA, respell))).code).toBe(1);
  });

  it('that was given another id is the signer’s by the signer’s key alone', async () => {
    const moved = await verdict(signature('ncr:9'));
    expect(moved.output).toContain('of Olga was signed before its record was given another id');
    const brought = await verdict(signature('ncr:9', OTHER));
    expect(brought.output).toContain('is signed by a key of nobody here');
    expect(brought.output).not.toContain('of Olga was signed');
    expect([moved.code, brought.code]).toEqual([0, 0]);
  });

  it('by who is not in a part of a trail is whole, and by another key of who is there it is wrong', async () => {
    const file = join(folder, 'part.jsonl');
    const codes = async (user: number) => {
      const trail = new Trail({ sequence: 5, hash: 'ab'.repeat(32) });
      writeTrail(file, trail.add(signature('ncr:7', OTHER, undefined, user)).end());
      return Promise.all([own, second].map(async by => (await by.verify(file)).code));
    };
    expect(await codes(9)).toEqual([3, 0]);
    expect(await codes(1)).toEqual([1, 1]);
  });
});

describe('what a station has signed of its own chain', () => {
  const STATION = keyOf(6);
  const enrolled = (key: string): Content => {
    const content = certified({ station: 's', name: 'Dock', key }, 'station_enrolled');
    return { ...content, chain: 'c.1' };
  };
  const endOf = (line: Line | undefined, members: object = {}, key = STATION) => {
    const { chain, number, hash } = line?.commit ?? {};
    const content = { says: 'holdpoint: chain', chain, number, hash, key: publicOf(key), ...members };
    return { ...content, signature: signed(key, canonicalJson(content)) };
  };
  /** Three commits of the dock, of which the end is signed after the one that is given. */
  function site(ends: (dock: Line[]) => object[], key = publicOf(STATION)): Line[] {
    const trail = new Trail();
    trail.add(enrolled(key));
    for (let n = 0; n < 3; n += 1) trail.add(entered({ user: 'scale' }));
    const lines = trail.end();
    const dock = lines.filter(({ commit }) => commit?.chain === 's.1');
    Object.assign(lines[0] ?? {}, { ends: ends(dock) });
    return lines;
  }

  it('is told by both verifiers, with what came after it', async () => {
    const whole = await both(site(dock => [endOf(dock[2])]));
    expect(whole.output).toContain('chain s.1 (Dock): its station has signed it up to commit 3');
    expect(whole.output).not.toContain('Ask');
    expect(whole.code).toBe(0);
    const early = await both(site(dock => [endOf(dock[1])]));
    expect(early.output).toContain('Ask: chain s.1 (Dock): 1 commits after commit 2 are not signed');
    const none = await both(site(() => []));
    expect(none.output).toContain('Ask: chain s.1 (Dock): 3 commits are not signed by its station, which');
    const other = await both(site(dock => [endOf(dock[2])], publicOf(OLGA)));
    expect(other.output).toContain('central noted no such key of the station');
    expect([early.code, none.code, other.code]).toEqual([0, 0, 0]);
  });

  it.each<[string, (dock: Line[]) => object[]]>([
    ['of another commit', dock => [endOf(dock[2], { hash: 'ab'.repeat(32) })]],
    ['of a later commit', dock => [endOf(dock[2], { number: 4 })]],
    ['by another key', dock => [{ ...endOf(dock[2], {}, OLGA), key: publicOf(STATION) }]],
    ['that says something else', dock => [endOf(dock[2], { says: 'holdpoint: checkpoint' })]],
    ['that was altered', dock => [{ ...endOf(dock[2]), number: 2 }]],
    ['twice', dock => [endOf(dock[2]), endOf(dock[1])]],
    ['of another form', () => [{ chain: 's.1' }]],
  ])('is wrong for both where it is one %s', async (_, ends) => {
    expect((await both(site(ends))).code).toBe(1);
  });

  it('finds what somebody rewrote who has central’s disk and its key', async () => {
    const lines = site(dock => [endOf(dock[2])]);
    const [first] = lines.flatMap(({ commit }) => (commit?.chain === 's.1' ? commit : []));
    if (first) first.reason = 'As agreed.';
    const found = await both(signedAnew(hashedAnew(lines), AUTHORITY));
    expect(found.code).toBe(1);
    expect(found.output).toContain('its station has signed another commit 3');
  });
});
