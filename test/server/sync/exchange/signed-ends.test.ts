import { describe, expect, it } from 'vitest';
import { newPrivateKey, publicKeyOf, signText } from '../../../../server/keys/ed25519.ts';
import {
  endsOf,
  isEndSigned,
  type SignedEnd,
  signEnd,
  signOffers,
} from '../../../../server/keys/signed-end.ts';
import { newCommitId } from '../../../../server/store/commit-id.ts';
import { hashOfCommit } from '../../../../server/store/history.ts';
import { keepStationKey, keptEnds, stationKey } from '../../../../server/store/station-ends.ts';
import { syncRules } from '../../../../server/sync/log/rules.ts';
import { commitText, type PushRequest, type Request } from '../../../../server/sync/protocol/wire.ts';
import { StationStore } from '../../../../server/sync/station/station-store.ts';
import { openAuthority } from '../../../../server/trust/authority-key.ts';
import { create, START } from '../../store/temporary-store.ts';
import { type Fleet, fleet, type Peer } from './fleet.ts';

interface Site extends Fleet {
  a: Peer;
  b: Peer;
}

async function site(): Promise<Site> {
  const made = await fleet(2);
  const [a, b] = made.stations;
  if (!a || !b) throw new Error();
  return { ...made, a, b };
}

const namesAt = ({ central }: Fleet) =>
  [...central.store.records.all('supplier')].map(({ fields }) => fields.name);
const keyAt = ({ central: { store } }: Fleet, peer: Peer) =>
  stationKey(store.database.reader, peer.store.station);

/** What the station sends from now on is changed on its way. */
function onItsWay(peer: Peer, change: (push: PushRequest) => Request): void {
  const { carry } = peer;
  peer.carry = (request, unsent) =>
    carry(request.kind === 'push' && request.commits.length > 0 ? change(request) : request, unsent);
}

const another = newPrivateKey();
const other = { key: publicKeyOf(another), sign: (text: string) => signText(another, text) };

describe('what a station sends', () => {
  it('is signed by its own key, which central knows from then on and keeps with the end of the chain', async () => {
    const made = await site();
    await create(made.a.store, 'supplier', { name: 'Acme' });
    await made.settle();
    const own = openAuthority(made.a.store.database.folder).key;
    expect(keyAt(made, made.a)).toBe(own);
    const kept = keptEnds(made.central.store.database.reader).filter(({ key }) => key === own);
    expect(kept).toMatchObject([{ chain: made.a.store.gate.chain }]);
    expect(kept.every(isEndSigned)).toBe(true);
    await create(made.a.store, 'supplier', { name: 'Bolt' });
    await made.settle();
    const [later] = keptEnds(made.central.store.database.reader).filter(({ key }) => key === own);
    expect(later?.number).toBeGreaterThan(kept[0]?.number ?? 0);
    expect(namesAt(made)).toEqual(['Acme', 'Bolt']);
  });

  it('comes unsigned of a station of the former version, until it has signed once', async () => {
    const made = await site();
    const { carry } = made.a;
    onItsWay(made.a, ({ ends: _ends, ...push }) => push);
    await create(made.a.store, 'supplier', { name: 'Acme' });
    await made.settle();
    expect([namesAt(made), keyAt(made, made.a)]).toEqual([['Acme'], undefined]);
    made.a.carry = carry;
    await create(made.a.store, 'supplier', { name: 'Bolt' });
    await made.settle();
    expect(keyAt(made, made.a)).toBeDefined();
    onItsWay(made.a, ({ ends: _ends, ...push }) => push);
    await create(made.a.store, 'supplier', { name: 'Cord' });
    await expect(made.settle()).rejects.toThrow('is not signed with its own key, as it was before');
    expect(namesAt(made)).toEqual(['Acme', 'Bolt']);
    // Nothing is lost by it.
    made.a.carry = carry;
    await made.settle();
    expect(namesAt(made)).toEqual(['Acme', 'Bolt', 'Cord']);
  });

  const resigned = (push: PushRequest) => ({
    ...push,
    ends: endsOf(push.commits).map(end => signEnd(other, end)),
  });
  const altered =
    (change: (end: SignedEnd) => SignedEnd) =>
    (push: PushRequest): PushRequest => ({ ...push, ends: (push.ends ?? []).map(change) });

  it.each<[string, (push: PushRequest) => PushRequest, string]>([
    ['with another key', resigned, 'Central knows this station by another key'],
    ['with nothing', altered(end => ({ ...end, chain: 'another.chain' })), 'is not signed with its own key'],
    ['over another number', altered(end => ({ ...end, number: end.number + 1 })), 'its own key has signed'],
    ['over another hash', altered(end => ({ ...end, hash: 'f'.repeat(64) })), 'its own key has signed'],
    ['by another signature', altered(end => ({ ...end, signature: 'A'.repeat(86) })), 'own key has signed'],
    [
      'and says something else',
      push => ({ ...push, commits: push.commits.map(commit => ({ ...commit, hash: 'e'.repeat(64) })) }),
      'its own key has signed',
    ],
  ])('is not taken where it is signed %s', async (_, change, says) => {
    const made = await site();
    await create(made.a.store, 'supplier', { name: 'Acme' });
    await made.settle();
    const { carry } = made.a;
    onItsWay(made.a, change);
    await create(made.a.store, 'supplier', { name: 'Bolt' });
    await expect(made.settle()).rejects.toThrow(says);
    expect(namesAt(made)).toEqual(['Acme']);
    made.a.carry = carry;
    await made.settle();
    expect(namesAt(made)).toEqual(['Acme', 'Bolt']);
  });

  it('is not taken with an end that was signed before, or by another station', async () => {
    const made = await site();
    let seen: SignedEnd[] = [];
    onItsWay(made.a, push => {
      seen = push.ends ?? [];
      return push;
    });
    await create(made.a.store, 'supplier', { name: 'Acme' });
    await made.settle();
    onItsWay(made.a, push => ({ ...push, ends: seen }));
    await create(made.a.store, 'supplier', { name: 'Bolt' });
    await expect(made.a.settle()).rejects.toThrow('its own key has signed');
    // Of another station it names another chain.
    await create(made.b.store, 'supplier', { name: 'Cord' });
    onItsWay(made.b, push => ({ ...push, ends: seen }));
    await expect(made.b.settle()).rejects.toThrow('its own key');
    expect(namesAt(made)).toEqual(['Acme']);
  });

  it('counts with another key once a code of central has let it in with that', async () => {
    const made = await site();
    await create(made.a.store, 'supplier', { name: 'Acme' });
    await made.settle();
    onItsWay(made.a, resigned);
    await create(made.a.store, 'supplier', { name: 'Bolt' });
    await expect(made.settle()).rejects.toThrow('another key');
    const { gate, database } = made.central.store;
    await gate.briefly(() => keepStationKey(database, made.a.store.station, other.key));
    await made.settle();
    expect(namesAt(made)).toEqual(['Acme', 'Bolt']);
  });
});

describe('what a station says that central lost', () => {
  /** As somebody makes it who has a backup of central's, and the station's bearer key. */
  async function forgedOffer({ central, a }: Site): Promise<PushRequest> {
    const content = {
      ...{ chain: `${a.store.station}.ffffffff`, number: 1, commit_id: newCommitId(), previous_hash: '' },
      ...{ at: START, clock_offset: null, user: 'root', reason: null },
      entries: [
        {
          subject: 'supplier:9',
          changes: [{ path: 'name', old: null, new: 'Forged', over: [] }],
        },
      ],
    };
    const commit = { ...content, hash: hashOfCommit(content) };
    const countersignature = central.exchange.signing.countersign(commitText(commit.hash));
    const { cursor } = { cursor: new StationStore(a.store, syncRules, a.store.database.reader).cursor() };
    const asking = { request: newCommitId(), station: a.store.station, protocol: 1, cursor };
    return { kind: 'push', ...asking, offers: [{ commit, countersignature }], commits: [] };
  }

  const prepared = async () => {
    const made = await site();
    await create(made.a.store, 'supplier', { name: 'Acme' });
    await made.settle();
    return made;
  };

  it('is signed by its own key: who has only what lies in a backup of central’s is refused', async () => {
    const made = await prepared();
    const push = await forgedOffer(made);
    await expect(made.central.answer(push)).rejects.toThrow('is not signed with its own key');
    const foreign = { ...push, offered: signOffers(other, push) };
    await expect(made.central.answer(foreign)).rejects.toThrow('another key');
    const own = openAuthority(made.a.store.database.folder);
    // Signed for another message.
    const replayed = { ...push, offered: signOffers(own, { ...push, request: 'another' }) };
    await expect(made.central.answer(replayed)).rejects.toThrow('own key has signed');
    expect(namesAt(made)).toEqual(['Acme']);
  });

  it('comes through where central knows no key of the station, and where the station has signed it', async () => {
    for (const isKnown of [false, true]) {
      const made = await prepared();
      const { gate, database } = made.central.store;
      const push = await forgedOffer(made);
      if (!isKnown) await gate.briefly(() => keepStationKey(database, made.a.store.station, undefined));
      const own = openAuthority(made.a.store.database.folder);
      await made.central.answer(isKnown ? { ...push, offered: signOffers(own, push) } : push);
      expect(namesAt(made)).toContain('Forged');
    }
  });
});
