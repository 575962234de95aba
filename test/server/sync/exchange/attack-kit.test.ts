import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { revokePassword } from '../../../../server/identity/revocation.ts';
import {
  type Authored,
  type Authorship,
  authoredText,
  certificateText,
  type Seen,
} from '../../../../server/keys/authorship.ts';
import { newPrivateKey, publicKeyOf, signText } from '../../../../server/keys/ed25519.ts';
import { signEnd } from '../../../../server/keys/signed-end.ts';
import { inputOf } from '../../../../server/rules/input-of.ts';
import { newCommitId } from '../../../../server/store/commit-id.ts';
import { hashOfCommit, newChain, readCommitsAfter } from '../../../../server/store/history.ts';
import { noteSigning } from '../../../../server/store/noted-authorship.ts';
import type { Author } from '../../../../server/store/unit-of-work.ts';
import { CentralStore } from '../../../../server/sync/central/central-store.ts';
import { syncRules } from '../../../../server/sync/log/rules.ts';
import { StationStore } from '../../../../server/sync/station/station-store.ts';
import { openAuthority } from '../../../../server/trust/authority-key.ts';
import { BY_SERVER } from '../../../../shared/contract/permission.ts';
import { families } from '../../../../shared/families/registry.ts';
import { START } from '../../store/temporary-store.ts';
import { heldOf, type Story, story } from './push-story.ts';
import { giveKey, personKey, sessionAt } from './signing-people.ts';

/** What an altered station tries in the name of Olga; each writes a supplier `Forged`. */

interface Site extends Story {
  olga: { id: number; login: string };
  sign: Author;
}

async function site(permission?: () => undefined): Promise<Site> {
  const made = await story(permission);
  const { store } = made.central;
  const id = store.records.findBy('user', 'login', 'olga')[0]?.id ?? 0;
  await giveKey(store, id);
  await made.settle();
  const { station } = made.a.store;
  await store.gate.briefly(() => noteSigning(store.database, station));
  const olga = { id, login: 'olga' };
  return { ...made, olga, sign: sessionAt(station, olga) };
}

const forged = { name: 'Forged' };

async function write({ a, olga }: Site, author?: Author, fields: object = forged): Promise<void> {
  await a.store.gate.commit({
    actor: { rights: { kind: 'person', roles: ['operator'] }, user: 'olga', userId: olga.id, author },
    reason: null,
    work: work => void work.create(families.supplier, inputOf({ ...fields })),
    answer: () => undefined,
  });
}

type Forging = (commit: Authored, seen: Seen | null, site: Site) => unknown;
const by =
  (forge: Forging) =>
  (made: Site): Promise<void> =>
    write(made, (commit, seen) => forge(commit, seen, made) as Authorship);

/** A commit that Olga has signed and central has taken. */
async function genuine(made: Site): Promise<Authorship> {
  await write(made, made.sign, { name: 'Genuine' });
  await made.settle();
  const commits = readCommitsAfter(made.central.store.database, 0, 10_000).map(({ commit }) => commit);
  const commit = commits.findLast(({ authorship }) => authorship);
  if (!commit?.authorship) throw new Error('Nothing is signed.');
  return commit.authorship;
}

const revoke = ({ central, olga }: Site) =>
  central.store.gate.commit({
    actor: { rights: BY_SERVER, user: 'root' },
    reason: null,
    work: work => revokePassword(work, olga.id),
    answer: () => undefined,
  });

const own = newPrivateKey();

const attacks: [string, (made: Site) => Promise<void>][] = [
  ['names her, and signs nothing', made => write(made)],
  [
    'signs as her with a key of its own',
    by((commit, seen, { olga, a }) => sessionAt(a.store.station, olga, { key: own })(commit, seen)),
  ],
  [
    "signs her act with the station's own key",
    by((commit, seen, { olga, a }) => {
      const authority = openAuthority(a.store.database.folder);
      const session = {
        ...{ user_id: olga.id, login: 'olga', key: authority.key, station: a.store.station },
        ...{ session_key: authority.key, from: START, until: '2026-06-16T12:00:00.000Z' },
      };
      const certified = { ...session, proof: authority.sign(certificateText(session)) };
      return { session: certified, seen, proof: authority.sign(authoredText(commit, certified, seen)) };
    }),
  ],
  [
    'puts the authorship of another act under it',
    async made => {
      const authorship = await genuine(made);
      await write(made, () => authorship);
    },
  ],
  [
    'says that it is what she signed, under other ids',
    async made => {
      const { signed: _, ...authorship } = await genuine(made);
      const said = made.sign({ ...COMMIT, commit_id: newCommitId() }, authorship.seen);
      const text = authoredText(COMMIT, said.session, authorship.seen);
      await write(made, () => ({ ...said, signed: text }));
    },
  ],
  [
    'takes the certificate of her session at another station, and signs with a key of its own',
    by((commit, seen, { olga }) => {
      const { session } = sessionAt('another', olga)(commit, seen) as Authorship;
      return { session, seen, proof: signText(own, authoredText(commit, session, seen)) };
    }),
  ],
  [
    'lets a session go on that her key certified for a month',
    by((commit, seen, { olga, a }) => {
      const session = {
        ...{ user_id: olga.id, login: 'olga', key: publicKeyOf(personKey), station: a.store.station },
        ...{ session_key: publicKeyOf(own), from: START, until: '2026-07-16T12:00:00.000Z' },
      };
      const certified = { ...session, proof: signText(personKey, certificateText(session)) };
      return { session: certified, seen, proof: signText(own, authoredText(commit, certified, seen)) };
    }),
  ],
  [
    'says that she had seen another log',
    by((commit, seen, { sign }) => sign(commit, seen && { ...seen, hash: 'ab'.repeat(32) })),
  ],
  [
    'uses her key after it was replaced',
    async made => {
      await giveKey(made.central.store, made.olga.id, newPrivateKey());
      await write(made, made.sign);
    },
  ],
  [
    'uses her key after it was revoked',
    async made => {
      await revoke(made);
      await write(made, made.sign);
    },
  ],
  [
    'writes without a key after hers was revoked',
    async made => {
      await revoke(made);
      await write(made);
    },
  ],
];

const COMMIT: Authored = {
  commit_id: 'x',
  at: START,
  clock_offset: null,
  user: 'olga',
  reason: null,
  entries: [],
};

const isThere = ({ central }: Story) =>
  [...central.store.records.all('supplier')].some(({ fields }) => fields.name === forged.name);

describe('an altered station', () => {
  it.each(attacks)('that %s is found, and what it wrote is held alone', async (_, attack) => {
    const made = await site();
    await attack(made);
    await made.settle();
    expect(isThere(made)).toBe(false);
    expect(heldOf(made).map(({ reason }) => reason)).toContainEqual(expect.stringMatching(/^not_proved: /));
  });

  it.each(attacks)('that %s has its way where central does not look', async (_, attack) => {
    const made = await site(() => undefined);
    await attack(made);
    await made.settle();
    expect(isThere(made)).toBe(true);
  });

  it('that sends a commit again, in another chain or under its id with other content, changes nothing', async () => {
    const made = await site();
    await sendAgain(made);
    expect(isThere(made)).toBe(false);
    const names = [...made.central.store.records.all('supplier')].map(({ fields }) => fields.name);
    expect(names.filter(name => name === 'Genuine')).toHaveLength(1);
  });

  it('that sends a commit again with other content has its way where central knows no ids and does not look', async () => {
    vi.spyOn(CentralStore.prototype, 'isKnown').mockReturnValue(false);
    onTestFinished(() => void vi.restoreAllMocks());
    const made = await site(() => undefined);
    await sendAgain(made);
    expect(isThere(made)).toBe(true);
  });
});

/** The last commit that central took, as it was and with other content, in chains of their own. */
async function sendAgain(made: Site): Promise<void> {
  await genuine(made);
  const { store } = made.a;
  const [{ commit } = {}] = readCommitsAfter(store.database, 0, 10_000).slice(-1);
  if (!commit) throw new Error('Nothing was written.');
  const entries = JSON.parse(JSON.stringify(commit.entries).replaceAll('Genuine', forged.name));
  for (const sent of [commit, { ...commit, entries }]) {
    const chain = newChain(store.station);
    const { hash: _, ...content } = { ...sent, chain, number: 1, previous_hash: '' };
    const again = { ...content, hash: hashOfCommit(content) };
    const { central, a } = made;
    const station = new StationStore(a.store, syncRules, a.store.database.reader);
    const ends = [signEnd(openAuthority(a.store.database.folder), again)];
    const asking = { request: newCommitId(), station: a.store.station, protocol: 1 };
    const push = {
      kind: 'push' as const,
      ...asking,
      cursor: station.cursor(),
      offers: [],
      commits: [again],
      ends,
    };
    expect(await central.answer(push)).toMatchObject({ kind: 'push' });
  }
  await made.settle();
}
