import { expect, it } from 'vitest';
import { fingerprintOfKey } from '../../../../server/keys/ed25519.ts';
import type { Store } from '../../../../server/store/store.ts';
import { CentralCarry } from '../../../../server/sync/central/central-carry.ts';
import { openAuthority } from '../../../../server/trust/authority-key.ts';
import { temporaryFolder } from '../../store/sqlite/temporary-folder.ts';
import { create } from '../../store/temporary-store.ts';
import { type CarryingPeer, carryingFleet, collected } from './carried-fleet.ts';

/** Who made a file, and blocks of ids in it. */

async function one() {
  const made = await carryingFleet(1);
  const [dock] = made.peers;
  if (!dock) throw new Error();
  return { ...made, dock };
}

/** As after a restore: none of its blocks is one to give ids of. */
async function useUp({ gate, database }: Store): Promise<void> {
  await gate.applyRemote(() => {
    database.run('DELETE FROM block');
    return { result: undefined };
  });
}

const other = () => openAuthority(temporaryFolder());
const suppliers = ({ store }: Pick<CarryingPeer, 'store'>) =>
  [...store.records.all('supplier')].map(({ fields }) => fields.name).sort();

it('a file that somebody made who has the secret of a station is told from one of the station', async () => {
  const { central, dock } = await one();
  await central.in(await dock.out());
  await dock.in(await central.out(dock));
  await create(dock.store, 'supplier', { name: 'Forged' });
  const own = dock.authority;
  dock.authority = other();
  const { key } = dock.authority;
  const forged = await dock.out();
  await expect(central.in(forged)).rejects.toMatchObject({
    code: 'conflict',
    message: expect.stringMatching(new RegExp(`SHA-256 ${fingerprintOfKey(key)}.*--key`)),
  });
  expect(suppliers(central)).toEqual([]);
  await expect(central.in(forged, fingerprintOfKey(own.key))).rejects.toMatchObject({ code: 'conflict' });
  // A station that was restored has such a key, and a person has asked.
  await central.in(forged, fingerprintOfKey(key));
  expect(suppliers(central)).toEqual(['Forged']);
  // From then on it is the station's.
  await central.in(await dock.out());
  dock.authority = own;
  await expect(central.in(await dock.out())).rejects.toMatchObject({ code: 'conflict' });
});

it('a file that somebody made who has the secret is told from one of central', async () => {
  const { central, dock } = await one();
  await central.in(await dock.out());
  await dock.in(await central.out(dock));
  await create(central.store, 'supplier', { name: 'Forged' });
  const { store, stations, secretsFor, sync } = central;
  const clock = () => new Date();
  const thief = { store, stations, secretsFor, sync, clock, authority: other(), checkpoint: () => undefined };
  const forged = await collected(new CentralCarry(thief).out(1));
  await expect(dock.in(forged)).rejects.toMatchObject({
    code: 'conflict',
    message: expect.stringContaining('central'),
  });
  expect(suppliers(dock)).toEqual([]);
  await dock.in(await central.out(dock));
  expect(suppliers(dock)).toEqual(['Forged']);
});

it('the key that a station shows over the line counts, whatever a file said before', async () => {
  const { central, dock } = await one();
  const own = dock.authority;
  dock.authority = other();
  await central.in(await dock.out());
  dock.authority = own;
  await expect(central.in(await dock.out())).rejects.toMatchObject({ code: 'conflict' });
  central.sync.carried.note(dock.store.station, { key: own.key });
  await central.in(await dock.out());
});

it('a station without ids gets a block by file, once, however often files are lost, repeated or late', async () => {
  const { central, dock } = await one();
  await central.in(await dock.out());
  await dock.in(await central.out(dock));
  const given = () => central.store.ids.givenTo(1);
  const before = given();
  await useUp(dock.store);
  await expect(create(dock.store, 'supplier', { name: 'No id' })).rejects.toThrow(/used up/);
  const lost = await dock.out();
  const up = await dock.out();
  await central.in(up);
  await central.in(up);
  expect(given()).toHaveLength(before.length + 1);
  const down = await central.out(dock);
  await dock.in(down);
  const blocks = dock.store.ids.blocks();
  expect(blocks).toEqual(given().slice(-1));
  const { id } = await create(dock.store, 'supplier', { name: 'Has one' });
  expect(Math.floor(id / 2 ** 20)).toBe(blocks[0]);
  await dock.in(down);
  // It asks no more; a late file that did ask is given one that nobody takes.
  await central.in(await dock.out());
  await central.in(lost);
  await dock.in(await central.out(dock));
  expect(dock.store.ids.blocks()).toEqual(blocks);
});
