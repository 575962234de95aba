import { describe, expect, it } from 'vitest';
import { certifySession, isInForce, openSession } from '../../../../server/identity/session-keys.ts';
import {
  type Authored,
  type Authorship,
  authoredText,
  certificateText,
  proofOfAuthorship,
  type Seen,
} from '../../../../server/keys/authorship.ts';
import { newPrivateKey, publicKeyOf, signText } from '../../../../server/keys/ed25519.ts';
import { inputOf } from '../../../../server/rules/input-of.ts';
import { newCommitId } from '../../../../server/store/commit-id.ts';
import { readCommitsAfter } from '../../../../server/store/history.ts';
import { noteSigning } from '../../../../server/store/noted-authorship.ts';
import { stationTables } from '../../../../server/store/station-table.ts';
import type { Author } from '../../../../server/store/unit-of-work.ts';
import { families } from '../../../../shared/families/registry.ts';
import { START } from '../../store/temporary-store.ts';
import { heldOf, type Story, story } from './push-story.ts';
import { giveKey, personKey, sessionAt } from './signing-people.ts';

interface Site extends Story {
  olga: { id: number; login: string };
  /** What signs for her at the station. */
  sign: Author;
}

/** Olga has a key, and her station has signed before unless said otherwise. */
async function site(hasSigned = true): Promise<Site> {
  const made = await story();
  const { store } = made.central;
  const user = [...store.records.all('user')].find(({ fields }) => fields.login === 'olga');
  if (!user) throw new Error();
  await giveKey(store, user.id);
  await made.settle();
  const { station } = made.a.store;
  if (hasSigned) await store.gate.briefly(() => noteSigning(store.database, station));
  const olga = { id: user.id, login: 'olga' };
  return { ...made, olga, sign: sessionAt(station, olga) };
}

let count = 0;

/** A supplier that somebody enters at the station as Olga. */
async function enter({ a, olga }: Site, author?: Author, user = 'olga'): Promise<string> {
  count += 1;
  const name = `Acme ${count}`;
  await a.store.gate.commit({
    actor: { rights: { kind: 'person', roles: ['operator'] }, user, userId: olga.id, author },
    reason: null,
    work: work => work.create(families.supplier, inputOf({ name })),
    answer: () => undefined,
  });
  return name;
}

const namesAt = ({ central }: Story) =>
  [...central.store.records.all('supplier')].map(({ fields }) => fields.name);
const whyHeld = (made: Story) => heldOf(made).map(({ reason }) => reason);

describe('what a person with a key writes at a station', () => {
  it('counts where her session has signed it, and is proved wherever it is read', async () => {
    const made = await site();
    const name = await enter(made, made.sign);
    await made.settle();
    expect(whyHeld(made)).toEqual([]);
    expect(namesAt(made)).toContain(name);
    const [{ commit } = {}] = readCommitsAfter(made.central.store.database, 0, 1_000).slice(-1);
    if (!commit?.authorship) throw new Error();
    expect(proofOfAuthorship(commit, commit.authorship)).toBe('proved');
    expect(commit.authorship.seen).toMatchObject({ epoch: made.central.exchange.reader().epoch() });
  });

  it('is held where nobody signed it', async () => {
    const made = await site();
    const name = await enter(made);
    await made.settle();
    expect(whyHeld(made)).toEqual([expect.stringMatching(/^not_proved: The author has a key, and this/)]);
    expect(namesAt(made)).not.toContain(name);
  });

  it('is from before keys at a station that never signed, and no more once it did', async () => {
    const made = await site(false);
    const before = await enter(made);
    await made.settle();
    const signed = await enter(made, made.sign);
    await made.settle();
    const after = await enter(made);
    await made.settle();
    expect(namesAt(made)).toEqual(expect.arrayContaining([before, signed]));
    expect(namesAt(made)).not.toContain(after);
    expect(whyHeld(made)).toHaveLength(1);
  });

  it('needs no key of who has none, nor of a program', async () => {
    const made = await site();
    const names = [await enter(made, undefined, 'ian'), await enter(made, undefined, 'scale')];
    await made.settle();
    expect(namesAt(made)).toEqual(expect.arrayContaining(names));
    expect(whyHeld(made)).toEqual([]);
  });

  type Forging = (made: Authorship, commit: Authored, seen: Seen | null, site: Site) => unknown;

  const another = newPrivateKey();
  /** A session with other members, certified by that key, and what it signs. */
  const session =
    (members: object, key = personKey): Forging =>
    (_, commit, seen, { olga, a }) => {
      const own = newPrivateKey();
      const base = { user_id: olga.id, login: 'olga', key: publicKeyOf(key), station: a.store.station };
      const times = { from: START, until: '2026-06-16T12:00:00.000Z' };
      const certificate = { ...base, ...times, session_key: publicKeyOf(own), ...members };
      const certified = { ...certificate, proof: signText(key, certificateText(certificate)) };
      return { session: certified, seen, proof: signText(own, authoredText(commit, certified, seen)) };
    };
  /** Signed by the genuine session, of something else. */
  const of =
    (change: (commit: Authored) => object): Forging =>
    (_, commit, seen, made) =>
      made.sign({ ...commit, ...change(commit) }, seen);

  it.each<[string, RegExp, Forging]>([
    ['by a session that another key certified', /present key/, session({}, another)],
    [
      'by a session of another key that says it is hers',
      /not what it says/,
      session({ key: publicKeyOf(personKey) }, another),
    ],
    ["by somebody else's session", /present key/, session({ user_id: 999 })],
    ['by a session that was over', /not what it says/, session({ until: '2026-06-15T11:00:00.000Z' })],
    ['by a session that had not begun', /not what it says/, session({ from: '2026-06-15T13:00:00.000Z' })],
    ['with other values beside it', /not what it says/, of(() => ({ entries: [] }))],
    [
      'with another time beside it',
      /not what it says/,
      of(({ at }) => ({ at: new Date(Date.parse(at) + 1_000).toISOString() })),
    ],
    ['with another reason beside it', /not what it says/, of(() => ({ reason: 'Other.' }))],
    ['with another clock beside it', /not what it says/, of(() => ({ clock_offset: 9 }))],
    ['as somebody else', /not what it says/, of(() => ({ user: 'ian' }))],
    ['as another commit', /not what it says/, of(() => ({ commit_id: newCommitId() }))],
    ['with nothing', /not what it says/, made => ({ ...made, proof: 'A'.repeat(86) })],
    ['with an empty authorship', /not what it says/, () => ({})],
    ['with a number for it', /not what it says/, () => 5],
    ['with a text for its session', /not what it says/, made => ({ ...made, session: 'olga' })],
    ['with a key that is none', /not what it says/, session({ session_key: 'AAAA' })],
    [
      'seeing a place that is not so in the log',
      /not central's/,
      (_, commit, seen, made) => made.sign(commit, seen && { ...seen, hash: 'ab'.repeat(32) }),
    ],
    [
      'seeing a place that the log has not reached',
      /not central's/,
      (_, commit, seen, made) => made.sign(commit, seen && { ...seen, sequence: 9_999 }),
    ],
    [
      'saying that she signed it under other ids, which she did not',
      /not what it says/,
      made => ({ ...made, signed: '{"says":"holdpoint: commit","entries":[],"commit_id":"x"}' }),
    ],
    [
      'saying that she signed something else under other ids',
      /more than the author signed/,
      (_, commit, seen, made) => {
        const other = { ...commit, commit_id: newCommitId(), reason: 'Other.' };
        const { session: certificate, ...signed } = made.sign(other, seen);
        return { ...signed, session: certificate, signed: authoredText(other, certificate, seen) };
      },
    ],
    [
      'saying that it was another name under other ids',
      /more than the author signed/,
      (_, commit, seen, made) => {
        const entries = JSON.parse(JSON.stringify(commit.entries).replaceAll('Acme', 'Other'));
        const other = { ...commit, commit_id: newCommitId(), entries };
        const { session: certificate, ...signed } = made.sign(other, seen);
        return { ...signed, session: certificate, signed: authoredText(other, certificate, seen) };
      },
    ],
  ])('is held where it was signed %s', async (_name, why, forge) => {
    const made = await site();
    const genuine = made.sign;
    const name = await enter(
      made,
      (commit, seen) => forge(genuine(commit, seen), commit, seen, made) as Authorship,
    );
    await made.settle();
    expect(whyHeld(made)).toEqual([expect.stringMatching(/^not_proved: /)]);
    expect(whyHeld(made)[0]).toMatch(why);
    expect(namesAt(made)).not.toContain(name);
  });

  it('counts once, however often a station issues again what she signed', async () => {
    const made = await site();
    const name = await enter(made, made.sign);
    await made.settle();
    const [{ commit } = {}] = readCommitsAfter(made.a.store.database, 0, 1_000).slice(-1);
    if (!commit?.authorship) throw new Error();
    const { session: certificate, seen } = commit.authorship;
    const signed = authoredText(commit, certificate, seen);
    // The same values, as a record of another id.
    await enter({ ...made }, () => ({ ...(commit.authorship as Authorship), signed }), 'olga');
    await made.settle();
    expect(whyHeld(made)).toEqual([expect.stringContaining('central has it already')]);
    expect(namesAt(made).filter(each => each === name)).toHaveLength(1);
  });

  it('is held with a key that was replaced, and at a station whose sessions are of one that was revoked', async () => {
    const made = await site();
    const { store } = made.central;
    await store.gate.briefly(() => {
      const { pending } = stationTables(store.database);
      const about = { protocol: 1, version: null, clock_offset_ms: null, at: START };
      pending.admit({ ...about, station: 'gone', name: 'Gone', hash: 'gone' });
      pending.revokeStation(pending.findStation('gone')?.id ?? 0, START);
    });
    await enter(made, sessionAt('gone', made.olga));
    await made.settle();
    await enter(made, made.sign);
    await giveKey(store, made.olga.id, another);
    await made.settle();
    expect(whyHeld(made)).toEqual([
      expect.stringContaining('was revoked since'),
      expect.stringContaining('the key was replaced meanwhile'),
    ]);
  });
});

describe('a key of a session', () => {
  it('opens with what the cookie holds, and with nothing else', () => {
    const about = { user: { id: 7, login: 'olga' }, key: personKey, station: 's', at: new Date(START) };
    const row = certifySession('right', about);
    expect(openSession('right', row)).toBeDefined();
    expect(openSession('wrong', row)).toBeUndefined();
    expect(openSession('right', { ...row, sealed: `${row.sealed.slice(0, -2)}AA` })).toBeUndefined();
    expect(JSON.stringify(row)).not.toContain('PRIVATE');
  });

  it('signs where it began, as long as it was let, for the key that its person has', () => {
    const at = new Date(START);
    const about = { user: { id: 7, login: 'olga' }, key: personKey, station: 's', at };
    const { certificate } = openSession('it', certifySession('it', about)) ?? {};
    if (!certificate) throw new Error('It does not open.');
    const [mine, week] = [publicKeyOf(personKey), 7 * 24 * 3_600_000];
    const later = (ms: number) => new Date(at.getTime() + ms);
    expect(isInForce(certificate, 's', mine, at)).toBe(true);
    expect(isInForce(certificate, 's', mine, later(week))).toBe(true);
    expect(isInForce(certificate, 's', mine, later(week + 1))).toBe(false);
    expect(isInForce(certificate, 's', mine, later(-60_001))).toBe(false);
    expect(isInForce(certificate, 'other', mine, at)).toBe(false);
    expect(isInForce(certificate, 's', publicKeyOf(newPrivateKey()), at)).toBe(false);
  });
});
