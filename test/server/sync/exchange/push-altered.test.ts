import { describe, expect, it } from 'vitest';
import { putEvent } from '../../../../server/audit/event.ts';
import { certifiedBy, certifySession, openSession } from '../../../../server/identity/session-keys.ts';
import {
  type Authorship,
  authoredText,
  certificateText,
  type Seen,
  type SessionCertificate,
} from '../../../../server/keys/authorship.ts';
import { newPrivateKey, publicKeyOf, signText } from '../../../../server/keys/ed25519.ts';
import { authorProofs } from '../../../../server/rules/author-proof.ts';
import type { Commit, Entry } from '../../../../server/store/changes.ts';
import { newCommitId, reissuedId } from '../../../../server/store/commit-id.ts';
import { noteSigning } from '../../../../server/store/noted-authorship.ts';
import type { Author } from '../../../../server/store/unit-of-work.ts';
import { syncRules } from '../../../../server/sync/log/rules.ts';
import type { Unplaced } from '../../../../server/sync/protocol/central.ts';
import { StationStore } from '../../../../server/sync/station/station-store.ts';
import { BY_SERVER } from '../../../../shared/contract/permission.ts';
import { START } from '../../store/temporary-store.ts';
import { Peer } from './fleet.ts';
import { heldOf, type Story, story } from './push-story.ts';
import { giveKey, personKey } from './signing-people.ts';

/** Central, Olga's station `a` and an altered one, `b`; Olga and Ian have keys. */
interface Site extends Story {
  b: Peer;
  olga: Person;
  ian: Person;
}

interface Person {
  id: number;
  login: string;
}

const ianKey = newPrivateKey();

async function site(): Promise<Site> {
  const made = await story();
  const { store } = made.central;
  const b = await Peer.join((request, unsent) => made.central.answer(request, unsent), 2);
  const person = (login: string) => ({ id: store.records.findBy('user', 'login', login)[0]?.id ?? 0, login });
  const [olga, ian] = [person('olga'), person('ian')];
  await giveKey(store, olga.id);
  await giveKey(store, ian.id, ianKey);
  const both = { ...made, b, olga, ian };
  await settle(both);
  for (const { store: at } of [made.a, b])
    await store.gate.briefly(() => noteSigning(store.database, at.station));
  return both;
}

/** After each push central looks for what is to be let in, as the service does. */
async function settle(made: Omit<Site, 'olga' | 'ian'>): Promise<void> {
  for (const peer of [made.a, made.b, made.a]) {
    await peer.settle();
    await made.central.exchange.letInCertified();
  }
}

interface Session {
  certificate: SessionCertificate;
  sign: Author;
}

/** A session at a station, as signing in makes it; without the key as where that is not yet. */
function sessionOf({ store }: Peer, user: Person, key: typeof personKey | undefined = personKey): Session {
  const secret = 'c'.repeat(43);
  const opened = openSession(
    secret,
    certifySession(secret, { user, key, station: store.station, at: new Date(START) }),
  );
  if (!opened) throw new Error('It does not open.');
  return opened;
}

const pendingAt = (peer: Peer, user: Person): Session => {
  const secret = 'd'.repeat(43);
  const about = { user, key: undefined, station: peer.store.station, at: new Date(START) };
  const opened = openSession(secret, certifySession(secret, about));
  if (!opened) throw new Error('It does not open.');
  return opened;
};

let count = 0;

/** A supplier that the person enters, as it is before anybody signs. */
function entering(user: Person, id: number, name = `Acme ${id}`): Unplaced {
  const change = (path: string, value: unknown) => ({ path, old: null, new: value, over: [] });
  const entries = [{ subject: `supplier:${id}`, changes: [change('name', name)] }];
  return { commit_id: newCommitId(), at: START, clock_offset: null, user: user.login, reason: null, entries };
}

/** An id of the station's block. */
function newId({ store }: Peer): number {
  count += 1;
  return store.ids.next('supplier', () => false) + count;
}

const signedBy = (session: Session, commit: Unplaced, seen: Seen | null = null): Unplaced => ({
  ...commit,
  authorship: session.sign(commit, seen),
});

/** The same under another id of a record, as a station issues again what had to get one. */
function movedTo(commit: Unplaced, id: number, commitId = newCommitId()): Unplaced {
  const { authorship } = commit;
  if (!authorship) throw new Error('Nobody signed it.');
  const signed = authorship.signed ?? authoredText(commit, authorship.session, authorship.seen);
  const entries = commit.entries.map((entry): Entry => ({ ...entry, subject: `supplier:${id}` }));
  return { ...commit, commit_id: commitId, entries, authorship: { ...authorship, signed } };
}

/** Past the gate, as altered code does. */
async function send({ store }: Peer, ...commits: Unplaced[]): Promise<void> {
  await new StationStore(store, syncRules, store.database).writeOwn(() => commits);
}

/** What the trail of a station takes to central. */
const tell = ({ store }: Peer, certificate: object) =>
  store.gate.commit({
    actor: { user: 'audit-trail', rights: BY_SERVER },
    reason: null,
    work: work => putEvent(work, { kind: 'session_certified', details: { ...certificate } }),
    answer: () => undefined,
  });

const namesAt = ({ central }: Story) =>
  [...central.store.records.all('supplier')].map(({ fields }) => String(fields.name));
const timesAt = (made: Story, name: string) => namesAt(made).filter(each => each === name).length;
const whyHeld = (made: Story) => heldOf(made).map(({ reason }) => reason);
const PENDING = expect.stringMatching(/^not_proved: The author's key was not at the station yet/);
const TWICE = expect.stringMatching(/^not_proved: The author signed it once, and central has it already/);

const over = (session: Session, key: typeof personKey, members: object = {}): SessionCertificate =>
  certifiedBy(key, { ...session.certificate, ...members });

describe('certificates of a session that an altered station brings', () => {
  type Lie = (session: Session, site: Site) => SessionCertificate;
  const lies: [string, Lie][] = [
    [
      "of somebody else's key, in that person's name",
      (s, { ian }) => over(s, ianKey, { user_id: ian.id, login: 'ian' }),
    ],
    ["of somebody else's key, in hers", s => over(s, ianKey)],
    ['of her own for less time', s => over(s, personKey, { until: '2026-06-15T11:00:00.000Z' })],
    ['of her own for another station', (s, { b }) => over(s, personKey, { station: b.store.station })],
    ['of her own for a time that is none', s => over(s, personKey, { from: 'now', until: 'ever' })],
    ['that nobody signed', s => ({ ...over(s, personKey), proof: 'A'.repeat(86) })],
  ];

  it.each(lies)('%s counts for nothing where it comes first', async (_, lie) => {
    const made = await site();
    const session = pendingAt(made.a, made.olga);
    await tell(made.b, lie(session, made));
    await settle(made);
    await send(made.a, signedBy(session, entering(made.olga, newId(made.a), 'Acme')));
    await settle(made);
    expect(whyHeld(made)).toEqual([PENDING]);
    await tell(made.a, over(session, personKey));
    await settle(made);
    expect(whyHeld(made)).toEqual([]);
    expect(timesAt(made, 'Acme')).toBe(1);
  });

  it.each(lies)('%s takes nothing from the genuine one that was there', async (_, lie) => {
    const made = await site();
    const session = pendingAt(made.a, made.olga);
    await tell(made.a, over(session, personKey));
    await settle(made);
    await tell(made.b, lie(session, made));
    await settle(made);
    await send(made.a, signedBy(session, entering(made.olga, newId(made.a), 'Acme')));
    await settle(made);
    expect(whyHeld(made)).toEqual([]);
    expect(timesAt(made, 'Acme')).toBe(1);
  });

  it('of a session that was somebody else’s let nobody write as her', async () => {
    const made = await site();
    // Ian's session says that what it writes is Olga's.
    const session = pendingAt(made.b, made.ian);
    await tell(made.b, over(session, ianKey));
    await tell(made.b, over(session, ianKey, { user_id: made.olga.id, login: 'olga' }));
    await settle(made);
    await send(made.b, signedBy(session, entering(made.olga, newId(made.b), 'Acme')));
    await settle(made);
    expect(whyHeld(made)).toEqual([expect.stringMatching(/^not_proved: /)]);
  });

  it('are of seven days at most, whatever the key has signed', async () => {
    const made = await site();
    const long = { until: '2099-01-01T00:00:00.000Z' };
    const session = pendingAt(made.b, made.olga);
    const certified = over(session, personKey, long);
    await tell(made.b, certified);
    await settle(made);
    const one = entering(made.olga, newId(made.b));
    const two = entering(made.olga, newId(made.b));
    await send(made.b, signedBy(session, one), {
      ...two,
      authorship: { ...session.sign(two, null), session: certified },
    });
    await settle(made);
    expect(whyHeld(made)).toEqual([PENDING, expect.stringMatching(/not what it says/)]);
  });
});

describe('what a person signed', () => {
  it('counts once where an altered station sends it first, to the letter', async () => {
    const made = await site();
    const commit = signedBy(sessionOf(made.a, made.olga), entering(made.olga, newId(made.a), 'Acme'));
    await send(made.b, commit);
    await settle(made);
    await send(made.a, commit);
    await settle(made);
    expect(timesAt(made, 'Acme')).toBe(1);
    expect(whyHeld(made)).toEqual([]);
  });

  it.each(['genuine', 'copied'])(
    'counts once as another record, where the %s one comes first',
    async first => {
      const made = await site();
      const commit = signedBy(sessionOf(made.a, made.olga), entering(made.olga, newId(made.a), 'Acme'));
      const moved = movedTo(commit, newId(made.b));
      const sends = [() => send(made.a, commit), () => send(made.b, moved)];
      for (const each of first === 'genuine' ? sends : sends.reverse()) {
        await each();
        await settle(made);
      }
      expect(timesAt(made, 'Acme')).toBe(1);
      expect(whyHeld(made)).toEqual([TWICE]);
    },
  );

  it('counts once, however many copies come, and whatever is said of it between', async () => {
    const made = await site();
    const session = sessionOf(made.a, made.olga);
    const commit = signedBy(session, entering(made.olga, newId(made.a), 'Acme'));
    await send(made.b, movedTo(commit, newId(made.b)));
    await settle(made);
    const broken = movedTo(commit, newId(made.b));
    const authorship = { ...(broken.authorship as Authorship), proof: 'A'.repeat(86) };
    await send(made.b, { ...broken, authorship });
    await settle(made);
    await send(made.b, movedTo(commit, newId(made.b)));
    await settle(made);
    expect(timesAt(made, 'Acme')).toBe(1);
    expect(whyHeld(made)).toEqual([expect.stringMatching(/not what it says/), TWICE]);
  });

  it('is not taken for what somebody else says to have signed under its name', async () => {
    const made = await site();
    const commit = signedBy(sessionOf(made.a, made.olga), entering(made.olga, newId(made.a), 'Acme'));
    const own = { ...entering(made.ian, newId(made.b), 'Other'), commit_id: commit.commit_id };
    await send(made.b, movedTo(signedBy(sessionOf(made.b, made.ian, ianKey), own), newId(made.b)));
    await settle(made);
    await send(made.a, commit);
    await settle(made);
    expect(timesAt(made, 'Acme')).toBe(1);
  });

  it('and was given up at central comes back by no other station', async () => {
    const made = await site();
    // Held for another reason: it changes what is not there.
    const id = newId(made.a);
    const plain = entering(made.olga, id, 'Acme');
    const odd: Entry = {
      subject: 'supplier:99',
      changes: [{ path: 'name', old: null, new: 'X', over: ['nothing'] }],
    };
    const session = sessionOf(made.a, made.olga);
    const commit = signedBy(session, { ...plain, entries: [...plain.entries, odd] });
    await send(made.a, commit);
    await settle(made);
    expect(whyHeld(made)).toEqual(['unknown_target']);
    await made.central.exchange.decideHeld({
      commit: commit.commit_id,
      decision: 'withdrawn',
      user: 'root',
      reason: 'It was wrong.',
      at: START,
    });
    const [own] = [...made.central.store.records.all('supplier')];
    const target = newId(made.b);
    await send(made.b, { ...entering({ id: 0, login: 'scale' }, target, 'Ours'), commit_id: newCommitId() });
    await settle(made);
    expect(own).toBeUndefined();
    const creator = made.central.store.records.get('supplier', target)?.creator ?? '';
    const moved = movedTo(commit, newId(made.b));
    const last = {
      ...odd,
      subject: `supplier:${target}`,
      changes: odd.changes.map(each => ({ ...each, over: [creator] })),
    };
    await send(made.b, { ...moved, entries: [...moved.entries.slice(0, 1), last] });
    await settle(made);
    expect(timesAt(made, 'Acme')).toBe(0);
    expect(whyHeld(made)).toEqual([expect.stringMatching(/^not_proved: /)]);
  });

  it('counts where another station has sent something under the name that it would get if it were issued again', async () => {
    const made = await site();
    const commit = signedBy(sessionOf(made.a, made.olga), entering(made.olga, newId(made.a), 'Acme'));
    const junk = entering({ id: 0, login: 'scale' }, newId(made.b), 'Junk');
    await send(made.b, { ...junk, commit_id: reissuedId(commit.commit_id) });
    await settle(made);
    await send(made.a, commit);
    await settle(made);
    expect(timesAt(made, 'Acme')).toBe(1);
  });

  it('keeps what is null within a value where it is issued again', async () => {
    const made = await site();
    const taken = newId(made.b);
    await send(made.b, entering({ id: 0, login: 'scale' }, taken, 'First'));
    await settle(made);
    const { entries, ...about } = entering(made.olga, taken, 'Acme');
    const rating = { stars: null, by: [null, { name: null }] };
    const wider = entries.map(({ changes, ...entry }) => ({
      ...entry,
      changes: [...changes, { path: 'rating', old: null, new: rating, over: [] }],
    }));
    await send(made.a, signedBy(sessionOf(made.a, made.olga), { ...about, entries: wider }));
    await settle(made);
    expect(made.central.exchange.reader().heldCommits.all()).toEqual([]);
    for (const { store } of [made.central, made.a, made.b]) {
      const [acme] = [...store.records.all('supplier')].filter(({ fields }) => fields.name === 'Acme');
      expect(acme?.id).not.toBe(taken);
      expect(acme?.fields.rating).toEqual(rating);
    }
  });

  it('is issued again under its name by its own station alone', async () => {
    const made = await site();
    const taken = newId(made.b);
    await send(made.b, entering({ id: 0, login: 'scale' }, taken, 'First'));
    await settle(made);
    const commit = signedBy(sessionOf(made.a, made.olga), entering(made.olga, taken, 'Acme'));
    await send(made.a, commit);
    const { carry } = made.a;
    made.a.carry = async (request, unsent) => {
      const answer = await carry(request, unsent);
      if (request.kind !== 'push') return answer;
      // Before the station hears that its id is another's.
      made.a.carry = carry;
      const junk = entering({ id: 0, login: 'scale' }, newId(made.b), 'Junk');
      await send(made.b, { ...junk, commit_id: reissuedId(commit.commit_id) });
      // Central refuses the name, and its station gives that up.
      await made.b.settle();
      expect(made.b.engine.state()).toMatchObject({ unsent: 0, stuck: null });
      return answer;
    };
    await made.a.settle();
    expect(timesAt(made, 'Acme')).toBe(1);
    expect(namesAt(made)).not.toContain('Junk');
  });

  it('while the key was pending counts once, when it and a copy of it were held', async () => {
    const made = await site();
    const session = pendingAt(made.a, made.olga);
    const commit = signedBy(session, entering(made.olga, newId(made.a), 'Acme'));
    await send(made.b, movedTo(commit, newId(made.b)));
    await settle(made);
    await send(made.a, commit);
    await settle(made);
    expect(whyHeld(made)).toEqual([PENDING, PENDING]);
    await tell(made.a, over(session, personKey));
    await settle(made);
    expect(timesAt(made, 'Acme')).toBe(1);
    expect(whyHeld(made)).toHaveLength(1);
  });
});

describe('a text that is said to have been signed', () => {
  const nested = (open: string, close: string, depth = 50_000) =>
    `${open.repeat(depth)}1${close.repeat(depth)}`;
  const said = (entries: string) => `{"commit_id":"x","entries":${entries},"says":"holdpoint: commit"}`;
  it.each<[string, string]>([
    ['nothing', ''],
    ['a null', 'null'],
    ['a list', '[]'],
    ['a text that is cut off', '{"says":"holdpoint: commit"'],
    ['lists within lists', nested('[', ']')],
    ['objects within objects', nested('{"a":', '}')],
    ['a commit of lists within lists', said(nested('[', ']'))],
    ['a number that is none', said('[1e400]')],
    ['entries that are nothing', said('[null]')],
    ['entries without changes', said('[{"subject":"supplier:1"}]')],
    ['changes that are nothing', said('[{"changes":[null],"subject":"supplier:1"}]')],
    ['a name that is no text', '{"commit_id":7,"entries":[],"says":"holdpoint: commit"}'],
    ['a long text', said(`["${'a'.repeat(3_000_000)}"]`)],
    ['what says something else', '{"commit_id":"x","entries":[],"says":"holdpoint: session"}'],
    ['a commit of hers with entries that are nothing', 'null'],
    ['a commit of hers with entries that are a list', '[]'],
    ['a commit of hers with changes that are nothing', '{"changes":[null],"subject":"supplier:1"}'],
    ['a commit of hers of an unknown family', '{"changes":[],"subject":"what"}'],
    ['a commit of hers over nothing', '{"changes":[{"over":null,"path":"name"}],"subject":"supplier:1"}'],
  ])('and is %s holds its commit alone', async (what, text) => {
    const made = await site();
    const { certificate } = sessionOf(made.b, made.olga);
    // Hers, as an altered station has it that she signed in at: it signs whatever it is given.
    const own = newPrivateKey();
    const { proof: _proof, ...rest } = { ...certificate, session_key: publicKeyOf(own) };
    const session = { ...rest, proof: signText(personKey, certificateText(rest)) };
    const hers = {
      ...entering(made.olga, 1),
      seen: null,
      entries: [JSON.parse(what.includes('of hers') ? text : '1')],
    };
    const signed = what.includes('of hers') ? authoredText(hers, session, null) : text;
    const authorship = { session, seen: null, signed, proof: signText(own, signed) };
    const next = entering(made.olga, newId(made.b), 'Next');
    const forged = { ...entering(made.olga, newId(made.b), 'Forged'), authorship };
    const unproved = {
      ...entering(made.olga, newId(made.b), 'Unproved'),
      authorship: { ...authorship, proof: 'A'.repeat(86) },
    };
    await send(made.b, forged, unproved, signedBy(sessionOf(made.b, made.olga), next));
    await settle(made);
    expect(whyHeld(made)).toEqual([
      expect.stringMatching(/^not_proved: /),
      expect.stringMatching(/^not_proved: /),
    ]);
    expect(namesAt(made)).toEqual(['Next']);
  });

  it('is held where the members around it are no texts, or long ones', async () => {
    const made = await site();
    const session = sessionOf(made.b, made.olga);
    const commit = () => entering(made.olga, newId(made.b), 'Forged');
    const genuine = (one: Unplaced) => session.sign(one, null);
    const odd: ((one: Unplaced) => unknown)[] = [
      one => ({ ...genuine(one), signed: 7 }),
      one => ({ ...genuine(one), signed: { a: 1 } }),
      one => ({ ...genuine(one), seen: { epoch: 'e'.repeat(1_000_000), sequence: 1, hash: 'h' } }),
      one => ({ ...genuine(one), seen: [] }),
      one => ({ ...genuine(one), session: { ...session.certificate, login: 'o'.repeat(1_000_000) } }),
      one => ({ ...genuine(one), session: { ...session.certificate, user_id: 1e300 } }),
      one => ({ ...genuine(one), proof: `${genuine(one).proof}=` }),
      one => ({ ...genuine(one), proof: `${genuine(one).proof} ` }),
      () => [],
      () => 'olga',
    ];
    for (const forge of odd) {
      const one = commit();
      await send(made.b, { ...one, authorship: forge(one) } as Unplaced);
    }
    await send(made.b, signedBy(session, entering(made.olga, newId(made.b), 'Next')));
    await settle(made);
    expect(whyHeld(made)).toEqual(odd.map(() => expect.stringMatching(/^not_proved: /)));
    expect(namesAt(made)).toEqual(['Next']);
  });
});

describe('what was signed for something else', () => {
  it('is no commit: a certificate, a signature of a record, another session’s', async () => {
    const made = await site();
    const session = sessionOf(made.b, made.olga);
    const one = entering(made.olga, newId(made.b), 'Forged');
    const authorship = session.sign(one, null);
    const { certificate } = session;
    // The person's own key in the place of the session's, and what it signs at signing in.
    const self = { ...certificate, session_key: certificate.key };
    const { proof: _, ...rest } = self;
    const whole = { ...rest, proof: signText(personKey, certificateText(rest)) };
    const texts = [certificateText(certificate), '{"says":"holdpoint: signature","subject":"ncr:1"}'];
    const forged = texts.map(signed => ({
      ...authorship,
      session: whole,
      signed,
      proof: signText(personKey, signed),
    }));
    const other = sessionOf(made.b, made.olga);
    const all = [...forged, { ...authorship, session: other.certificate }];
    for (const each of all) await send(made.b, { ...entering(made.olga, newId(made.b)), authorship: each });
    await settle(made);
    expect(whyHeld(made)).toEqual(all.map(() => expect.stringMatching(/^not_proved: /)));
  });
});

describe('what an altered station leaves out', () => {
  const without: [string, (made: Site) => Partial<Commit>][] = [
    ['nothing in its place', () => ({})],
    ['null in its place', () => ({ authorship: null }) as unknown as Partial<Commit>],
  ];
  it.each(without)('of who has a key holds what it sends, with %s', async (_, beside) => {
    const made = await site();
    await send(made.b, { ...entering(made.olga, newId(made.b), 'Forged'), ...beside(made) });
    await settle(made);
    expect(whyHeld(made)).toEqual([expect.stringMatching(/^not_proved: The author has a key/)]);
  });

  it('cannot be made up for by a session that says that the key is pending', async () => {
    const made = await site();
    const session = pendingAt(made.b, made.olga);
    await send(made.b, signedBy(session, entering(made.olga, newId(made.b), 'Forged')));
    await settle(made);
    // Ian signs in there, and his key certifies what it is shown.
    await tell(made.b, over(session, ianKey, { user_id: made.ian.id, login: 'ian' }));
    await settle(made);
    expect(whyHeld(made)).toEqual([PENDING]);
    expect(namesAt(made)).toEqual([]);
  });

  it('is not made up for by a session of somebody else, of who has no key either', async () => {
    const made = await site();
    const vera = made.central.store.records.findBy('user', 'login', 'quinn')[0]?.id ?? 0;
    const session = pendingAt(made.b, made.olga);
    const authors = [made.ian, { id: vera, login: 'quinn' }, { id: 0, login: 'nobody' }];
    for (const author of authors)
      await send(made.b, signedBy(session, entering(author, newId(made.b), 'Forged')));
    await settle(made);
    expect(whyHeld(made)).toEqual(authors.map(() => expect.stringMatching(/^not_proved: It is not signed/)));
    const proof = authorProofs(made.central.store.records, () => false);
    const forged = heldOf(made).map(({ commit }) => commit);
    expect(forged.map(commit => proof(commit))).toEqual(authors.map(() => 'broken'));
  });

  it('is no door to other references: what stands there is not what it says', async () => {
    const made = await site();
    const { central, b, receipt } = made;
    const mine = newId(b);
    await send(b, entering({ id: 0, login: 'scale' }, mine, 'Mine'));
    await settle(made);
    const record = () => central.store.records.get('receiving-inspection', receipt);
    const over = [record()?.creator ?? ''];
    const turning = (old: unknown): Unplaced => ({
      ...entering(made.olga, 1),
      entries: [
        {
          subject: `receiving-inspection:${receipt}`,
          changes: [{ path: 'supplier_id', old, new: mine, over }],
        },
      ],
    });
    await send(b, turning(mine + 1), turning(null), turning(mine));
    await settle(made);
    expect(whyHeld(made)).toContainEqual(expect.stringMatching(/^not_proved: The author has a key/));
    expect(record()?.fields.supplier_id ?? null).toBe(null);
  });
});
