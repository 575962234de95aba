import { cpSync } from 'node:fs';
import { expect, it } from 'vitest';
import { syncRules } from '../../../../server/sync/log/rules.ts';
import { StationStore } from '../../../../server/sync/station/station-store.ts';
import { temporaryFolder } from '../../store/sqlite/temporary-folder.ts';
import { create, temporaryStore, update } from '../../store/temporary-store.ts';
import { type Fleet, faultsOf, writeOdd } from './fleet.ts';
import { beginAgain, fleetWithSupplier, partlyElsewhere, sentByBoth } from './two-places.ts';

/** A commit that a disk's two machines gave to central in two places, central having lost the log that had it first. */

async function expectWhole({ stores }: Fleet): Promise<void> {
  for (const store of stores()) expect(await faultsOf(store)).toEqual([]);
}

it('stands at both where one page brings them, whatever was offered', async () => {
  const made = await fleetWithSupplier();
  const { a, b, central, id } = made;
  await update(a.store, 'supplier', id, { primary_name: 'from a' });
  await update(a.store, 'supplier', id, { primary_email: 'a@example.com' });
  await sentByBoth(made);
  await expectWhole({ ...made, stations: [b], stores: () => [central.store, b.store] });
});

it('is offered on where some of a chain stand elsewhere, and the database is whole', async () => {
  const made = await fleetWithSupplier();
  const letThrough = await partlyElsewhere(made);
  expect(await faultsOf(made.b.store)).toEqual([]);
  letThrough();
  await made.settle();
  await expectWhole(made);
});

it('is no damage to a start after a kill where some of a chain stand elsewhere', async () => {
  const made = await fleetWithSupplier();
  await create(made.a.store, 'supplier', { name: 'Before it in its chain' });
  await made.settle();
  await partlyElsewhere(made);
  const copy = temporaryFolder();
  // As after a kill: the log of the database is there, and nothing was closed.
  cpSync(made.b.store.database.folder, copy, { recursive: true });
  const again = await temporaryStore({ folder: copy });
  expect(again.selfCheck).toMatchObject({ isUnclean: true, findings: [] });
});

it('is read by the station whose it is where it is held at another place than it was written', async () => {
  const made = await fleetWithSupplier();
  const { a, b, central, id } = made;
  const ofCentral = await central.copy();
  await update(a.store, 'supplier', id, { primary_name: 'from a' });
  const ofStation = await a.copy();
  const odd = await writeOdd(a, id);
  await made.settle();
  const isHeld = () => new StationStore(a.store, syncRules, a.store.database).held.isHeld(odd);
  expect(isHeld()).toBe(true);
  await beginAgain(a);
  const after = await a.copy();
  await central.putBack(ofCentral);
  await a.putBack(ofStation);
  await beginAgain(a);
  await a.settle();
  // What comes before it in its chain stands elsewhere by now: central takes it into its own chain.
  await b.settle();
  await a.putBack(after);
  await made.settle();
  await made.settle();
  expect(isHeld()).toBe(true);
  await expectWhole(made);
});

it('gives no id again that central took into its own chain', async () => {
  const made = await fleetWithSupplier();
  const { a, b, central } = made;
  const [ofCentral, ofStation] = [await central.copy(), await a.copy()];
  const part = await create(a.store, 'part', { name: 'Bolt' });
  const order = await create(a.store, 'order', { items: [{ part_id: part.id, quantity: 1 }] });
  await made.settle();
  await central.putBack(ofCentral);
  await a.putBack(ofStation);
  await create(a.store, 'supplier', { name: 'In its place' });
  await a.settle();
  await b.settle();
  await a.settle();
  await expectWhole(made);
  expect(a.store.records.get('order', order.id)).toBeDefined();
  await made.settle();
  await expectWhole(made);
});

it('stands at the place that central has it again, of both that it had in a log that central lost', async () => {
  const made = await fleetWithSupplier();
  const { a, b, id } = made;
  await update(a.store, 'supplier', id, { primary_name: 'from a' });
  await sentByBoth(made);
  const { database, gate } = b.store;
  const { log, recoveryCommits } = new StationStore(b.store, syncRules, database);
  const [again, former] = log.after(1, 10);
  if (!again || !former) throw new Error();
  expect(again.commit.commit_id).toBe(former.commit.commit_id);
  await gate.applyRemote(() => {
    database.run('DELETE FROM log WHERE sequence > 1');
    recoveryCommits.putFirst([again, former]);
    recoveryCommits.settle([again]);
    return { result: undefined };
  });
  const { chain, number } = former.commit;
  expect(database.all('SELECT chain, number FROM abandoned')).toEqual([{ chain, number }]);
});
