import { describe, expect, it } from 'vitest';
import { inputOf } from '../../../../server/rules/input-of.ts';
import { signaturesOf } from '../../../../server/rules/signing.ts';
import { reissuedId } from '../../../../server/store/commit-id.ts';
import { keepFormDraft, readFormDraft } from '../../../../server/store/form-drafts.ts';
import { ImportKeys } from '../../../../server/store/import-keys.ts';
import { changeOpenScans, readOpenScans } from '../../../../server/store/open-scans.ts';
import { otherIdOf } from '../../../../server/store/other-ids.ts';
import type { Store } from '../../../../server/store/store.ts';
import { syncRules } from '../../../../server/sync/log/rules.ts';
import { HeldOff } from '../../../../server/sync/station/held-off.ts';
import { StationStore } from '../../../../server/sync/station/station-store.ts';
import { AppError } from '../../../../shared/contract/errors.ts';
import { families } from '../../../../shared/families/registry.ts';
import { create, START, update } from '../../store/temporary-store.ts';
import { areSame, employ, type Fleet, faultsOf, fleet, type Peer, shown, writeOdd } from './fleet.ts';
import { idsTwice } from './ids-twice.ts';

const PROVING = { isProving: true };

interface Cloned extends Fleet {
  dock: Peer;
  lab: Peer;
  /** A second machine with the dock's disk. */
  clone: Peer;
  /** A supplier and a part that both have. */
  supplier: number;
  part: number;
}

async function cloned(options = {}): Promise<Cloned> {
  const made = await fleet(2, { ...PROVING, ...options });
  const [dock, lab] = made.stations;
  if (!dock || !lab) throw new Error();
  const supplier = await create(dock.store, 'supplier', { name: 'Acme' });
  const part = await create(dock.store, 'part', { name: 'Jar', unit_of_measure: 'units' });
  await made.settle();
  const clone = await dock.clone();
  const stations = [...made.stations, clone];
  return {
    ...made,
    ...{ dock, lab, clone, supplier: supplier.id, part: part.id, stations },
    stores: () => [made.central.store, ...stations.map(({ store }) => store)],
    async settle() {
      for (let round = 0; round < 4; round += 1) for (const station of stations) await station.settle();
    },
  };
}

async function order(store: Store, part: number, text: string, count = 1) {
  const items = Array.from({ length: count }, () => ({ part_id: part, quantity: 1, serial_number: text }));
  return create(store, 'order', { notes: text, items });
}

async function expectInStep(made: Fleet): Promise<void> {
  expect(areSame(made.stores())).toBe(true);
  for (const { engine } of made.stations) {
    expect(engine.digests()).toEqual(made.central.exchange.digests());
    expect(engine.state()).toMatchObject({ unsent: 0, stuck: null, doubled: null });
  }
  expect(made.central.exchange.reader().heldCommits.all()).toEqual([]);
  for (const store of made.stores()) {
    expect(await faultsOf(store)).toEqual([]);
    expect(idsTwice(store)).toEqual([]);
  }
}

async function heldOff(peer: Peer): Promise<string> {
  const refused: unknown = await peer.settle().catch((error: unknown) => error);
  if (!(refused instanceof HeldOff)) throw new Error('It goes on.');
  expect(peer.engine.state().doubled).toEqual({ ...refused.doubled, is_held_off: true });
  return refused.doubled.machine;
}

const notes = (store: Store) =>
  Object.values(shown(store))
    .filter(({ family }) => family === 'order')
    .map(({ fields }) => fields.notes)
    .sort();

describe('a second machine with the disk of a station', () => {
  it('is noticed at its first exchange, and both are told', async () => {
    const { dock, clone, central, supplier } = await cloned();
    await update(dock.store, 'supplier', supplier, { primary_name: 'at the dock' });
    await dock.settle();
    await update(clone.store, 'supplier', supplier, { primary_email: 'clone@example.com' });
    const machine = await heldOff(clone);
    // It is one and the same, however often it calls.
    expect(await heldOff(clone)).toBe(machine);
    await dock.settle();
    expect(dock.engine.state()).toMatchObject({
      unsent: 0,
      doubled: { is_held_off: false, is_decided: false },
    });
    expect(dock.engine.state().doubled?.machine).not.toBe(machine);
    expect(shown(central.store)[`supplier:${supplier}`]?.fields.primary_email).toBeUndefined();
    expect(central.machines.of(dock.store.station)).toMatchObject({
      noticed_at: START,
      machines: [{ id: dock.engine.state().doubled?.machine }, { id: machine }],
    });
  });

  it('is noticed at the first one where it came first, and the other one is held off', async () => {
    const { dock, clone } = await cloned();
    await clone.settle();
    await heldOff(dock);
    await clone.settle();
    expect(clone.engine.state()).toMatchObject({ doubled: { is_held_off: false } });
  });

  it('becomes a station of its own with all that it recorded, whatever ids the other gave meanwhile', async () => {
    const made = await cloned();
    const { dock, clone, central, supplier, part } = made;
    for (let turn = 0; turn < 4; turn += 1) {
      await order(dock.store, part, `dock ${turn}`, 2);
      await order(clone.store, part, `clone ${turn}`, turn + 1);
    }
    await update(dock.store, 'supplier', supplier, { primary_name: 'dock' });
    await update(clone.store, 'supplier', supplier, { primary_email: 'clone@example.com' });
    const shipped = await create(clone.store, 'supplier', { name: 'Only of the clone' });
    await update(clone.store, 'supplier', shipped.id, { primary_name: 'corrected' });
    await dock.settle();
    const machine = await heldOff(clone);
    await dock.settle();
    await central.machines.choose(dock.store.station, dock.engine.state().doubled?.machine ?? '', START);
    await dock.settle();
    expect(machine).toHaveLength(4);
    await clone.separate(central, 9);
    expect(clone.store.station).not.toBe(dock.store.station);
    await made.settle();
    await expectInStep(made);
    expect(notes(central.store)).toHaveLength(8);
    expect(shown(central.store)[`supplier:${supplier}`]?.fields).toMatchObject({
      primary_name: 'dock',
      primary_email: 'clone@example.com',
    });
    const only = Object.values(shown(dock.store)).find(({ fields }) => fields.name === 'Only of the clone');
    expect(only?.fields.primary_name).toBe('corrected');
    expect(only?.station).toBe(clone.store.station);
    // Both go on.
    await order(dock.store, part, 'dock after');
    await order(clone.store, part, 'clone after');
    await made.settle();
    await expectInStep(made);
    expect(notes(dock.store)).toHaveLength(10);
  });

  it('has its signatures, import keys and answers for what it recorded, under the ids that this has now', async () => {
    const made = await cloned();
    const { dock, clone, central } = made;
    await create(central.store, 'setting', { is_esignature_required: true }, { id: 1 });
    await employ(central.store, 'anna');
    const [anna] = [...central.store.records.all('user')];
    // Both heard of her before the disk was copied.
    await dock.settle();
    const copy = await dock.clone();
    made.stations.splice(2, 1, copy);
    await clone.store.close();
    await create(dock.store, 'part', { name: 'Lid', unit_of_measure: 'units' });
    const part = await create(copy.store, 'part', { name: 'Cap', unit_of_measure: 'units' });
    const ncr = await create(copy.store, 'ncr', { ncr_number: 'N-1', source: 'internal', part_id: part.id });
    const { id: userId = 0 } = anna ?? {};
    await copy.store.gate.commit({
      actor: { rights: { kind: 'person', roles: ['quality'] }, user: 'anna', userId },
      reason: 'signed',
      signing: { signer: { id: userId, name: 'anna' }, reason: null },
      work: work => work.update(families.ncr, ncr.id, inputOf({ status: 'closed' })),
      answer: () => undefined,
    });
    await copy.store.gate.applyRemote(() => {
      new ImportKeys(copy.store.database).remember('erp', 'part', '["7"]', part.id);
      const headers = { Location: `/api/v2/parts/${part.id}` };
      const body = JSON.stringify({ data: { id: part.id } });
      copy.store.answers.keep(1, 'key', { request_hash: 'h', status: 201, headers, body });
      return { result: undefined };
    });
    await dock.settle();
    await heldOff(copy);
    await dock.settle();
    await copy.separate(central, 9);
    made.stores = () => [central.store, ...made.stations.map(({ store }) => store)];
    await made.settle();
    await expectInStep(made);
    const { reader } = copy.store.database;
    const [cap, signed] = [otherIdOf(reader, 'part', part.id), otherIdOf(reader, 'ncr', ncr.id)];
    expect(dock.store.records.get('part', cap ?? 0)?.fields.name).toBe('Cap');
    for (const { records, database } of [dock.store, copy.store]) {
      const record = records.get('ncr', signed ?? 0);
      expect(record?.fields.part_id).toBe(cap);
      expect(record && signaturesOf({ records, sql: database.reader }, record)).toMatchObject([
        { is_superseded: false, user_id: userId },
      ]);
    }
    expect(new ImportKeys(copy.store.database).find('erp', 'part', '["7"]')).toBe(cap);
    const answer = copy.store.answers.find(1, 'key');
    expect(answer?.headers).toEqual({ Location: `/api/v2/parts/${cap}` });
    expect(JSON.parse(answer?.body ?? '')).toEqual({ data: { id: cap } });
  });

  it('has what was typed and not saved, at the records that have other ids now', async () => {
    const made = await cloned();
    const { dock, clone, central, part, supplier } = made;
    await order(dock.store, part, 'dock', 2);
    const typedInto = await order(clone.store, part, 'clone', 2);
    const { database } = clone.store;
    const [item = ''] = Object.keys(Object(typedInto.fields.items));
    const cap = await create(clone.store, 'part', { name: 'Cap', unit_of_measure: 'units' });
    const changes = { notes: 'typed', items: [{ id: Number(item), part_id: cap.id }, { part_id: part }] };
    const drafts = {
      [`order:${typedInto.id}`]: { base: typedInto, changes },
      [`new ncr from order:${typedInto.id}`]: { part_id: String(cap.id), notes: 'typed' },
      [`supplier:${supplier}`]: {
        base: shown(clone.store)[`supplier:${supplier}`],
        changes: { name: 'typed' },
      },
      'certificate:9': { base: { id: cap.id, fields: { basis: [null] } }, changes: {} },
      'receipt 7 line': { part: cap.id },
      'receipt 8 line': { part: 4711 },
    };
    await clone.store.gate.together(async () => {
      for (const [key, data] of Object.entries(drafts))
        keepFormDraft(database, { owner: 'user 1', key, data: JSON.stringify(data), at: START });
    });
    const receipt = await create(clone.store, 'receiving-inspection', { po_number: 'PO-1' });
    const scanned = { key: 'line 1', data: { kind: 'line', line: { part: cap.id, lot: 'A' } } };
    const board = { changes: [scanned], expects: [], by: 'Ann', at: START };
    await clone.store.gate.together(async () => changeOpenScans(database, receipt.id, board));
    await dock.settle();
    await heldOff(clone);
    await dock.settle();
    await clone.separate(central, 9);
    await made.settle();
    const now = (family: string, id: number) => otherIdOf(database.reader, family, id) ?? 0;
    expect(readOpenScans(database, now('receiving-inspection', receipt.id))).toMatchObject([
      { key: 'line 1', data: { line: { part: now('part', cap.id), lot: 'A' } }, by: 'Ann' },
    ]);
    const typedAt = (key: string) => JSON.parse(readFormDraft(database, 'user 1', key)?.data ?? 'null');
    const at = `order:${now('order', typedInto.id)}`;
    const { base, changes: kept } = typedAt(at);
    const { id, fields, state } = shown(clone.store)[at] ?? {};
    expect(base).toMatchObject({ id, fields, state });
    const itemId = now('item:order-item', Number(item));
    expect(Object.keys(Object(fields?.items))).toContain(String(itemId));
    expect(kept.items).toEqual([{ id: itemId, part_id: now('part', cap.id) }, { part_id: part }]);
    expect(typedAt(`new ncr from ${at}`)).toEqual({ part_id: String(now('part', cap.id)), notes: 'typed' });
    expect(typedAt(`supplier:${supplier}`)).toEqual(drafts[`supplier:${supplier}`]);
    expect(['receipt 7 line', 'receipt 8 line', 'certificate:9'].map(typedAt)).toEqual([
      null,
      { part: 4711 },
      null,
    ]);
    // Under its former id stands what the other machine has.
    expect(typedAt(`order:${typedInto.id}`)).toBeNull();
  });

  it('goes on as the station where a person says so, and the other one becomes one of its own', async () => {
    const made = await cloned();
    const { dock, clone, central, part } = made;
    await order(dock.store, part, 'dock, sent', 2);
    await dock.settle();
    await order(dock.store, part, 'dock, not sent', 3);
    await order(clone.store, part, 'clone', 1);
    await order(clone.store, part, 'clone again', 2);
    const machine = await heldOff(clone);
    await central.machines.choose(dock.store.station, machine, START);
    await clone.settle();
    expect(clone.engine.state()).toMatchObject({ unsent: 0, doubled: null });
    await heldOff(dock);
    await clone.settle();
    await dock.separate(central, 9);
    await made.settle();
    await expectInStep(made);
    expect(notes(central.store)).toEqual(['clone', 'clone again', 'dock, not sent', 'dock, sent']);
  });

  it('may be chosen wrongly, and then the other way', async () => {
    const made = await cloned();
    const { dock, clone, central, part } = made;
    await dock.settle();
    await order(clone.store, part, 'clone');
    const machine = await heldOff(clone);
    await central.machines.choose(dock.store.station, machine, START);
    await clone.settle();
    await order(dock.store, part, 'dock');
    const other = await heldOff(dock);
    await central.machines.choose(dock.store.station, other, START);
    await dock.settle();
    await order(clone.store, part, 'clone again');
    expect(await heldOff(clone)).toBe(machine);
    await dock.settle();
    await clone.separate(central, 9);
    await made.settle();
    await expectInStep(made);
    expect(notes(central.store)).toEqual(['clone', 'clone again', 'dock']);
  });

  it('gives no item id that the other one gave while it was held off itself', async () => {
    const made = await cloned();
    const { dock, clone, central, part } = made;
    await order(dock.store, part, 'dock', 2);
    await dock.settle();
    await order(clone.store, part, 'clone, other chain');
    const machine = await heldOff(clone);
    await central.machines.choose(dock.store.station, machine, START);
    await clone.settle();
    const other = await heldOff(dock);
    // In a chain that the former one does not meet.
    await order(clone.store, part, 'clone', 3);
    await clone.settle();
    await order(dock.store, part, 'dock, held off', 3);
    await central.machines.choose(dock.store.station, other, START);
    // Durable: it was started anew meanwhile.
    await dock.copy();
    await dock.settle();
    await dock.settle();
    await heldOff(clone);
    await dock.settle();
    await clone.separate(central, 9);
    await made.settle();
    await expectInStep(made);
    expect(notes(central.store)).toEqual(['clone', 'clone, other chain', 'dock', 'dock, held off']);
  });

  it('of which both repeat a step that nobody answered pushes nothing before one goes on alone', async () => {
    const made = await cloned();
    const { dock, central, part } = made;
    const { carry } = dock;
    dock.carry = () => Promise.reject(new TypeError('offline'));
    await order(dock.store, part, 'in both');
    dock.engine.notify();
    await expect(dock.engine.step()).rejects.toThrow('offline');
    const copy = await dock.clone();
    made.stations.splice(2, 1, copy);
    const kinds = new Map<Peer, string[]>([dock, copy].map(peer => [peer, []]));
    for (const peer of [dock, copy]) {
      peer.carry = (request, unsent) => {
        kinds.get(peer)?.push(request.kind);
        return carry(request, unsent);
      };
      await order(peer.store, part, peer === dock ? 'dock' : 'copy', 2);
      peer.engine.notify();
      await peer.engine.step();
    }
    expect([...kinds.values()]).toEqual([['pull'], ['pull']]);
    await dock.settle();
    await heldOff(copy);
    expect(kinds.get(copy)).not.toContain('push');
    await dock.settle();
    await copy.separate(central, 9);
    made.stores = () => [central.store, ...made.stations.map(({ store }) => store)];
    await made.settle();
    await expectInStep(made);
    expect(notes(central.store)).toEqual(['copy', 'dock', 'in both']);
  });

  it('is enrolled in turns with the first, each as the same station, and no id is given twice', async () => {
    const made = await cloned();
    const { dock, lab, clone, central, part } = made;
    const written: string[] = [];
    for (const [turn, peer] of [dock, clone, dock, clone].entries()) {
      for (const [place, each] of [dock, clone].entries()) {
        const text = `turn ${turn} at ${place}`;
        await order(each.store, part, text, 1 + ((turn + place) % 3));
        written.push(text);
      }
      await peer.enrolAgain(central, 7 + turn);
      await peer.settle();
      await lab.settle();
    }
    // The clone is the station now; the dock sends the last that it has.
    await dock.enrolAgain(central, 11);
    made.stations.splice(2);
    made.stores = () => [central.store, dock.store, lab.store];
    await made.settle();
    await expectInStep(made);
    expect(notes(central.store)).toEqual(written.sort());
  });

  it('is not told so any more once the key of the station is revoked', async () => {
    const { dock, clone } = await cloned();
    await dock.settle();
    await heldOff(clone);
    clone.carry = () => Promise.reject(new AppError('unauthenticated', 'The key is revoked.'));
    clone.engine.notify();
    await expect(clone.engine.step()).rejects.toThrow('revoked');
    expect(clone.engine.state().doubled).toBeNull();
  });

  it('has a copy of its own: each becomes a station, and what two of them wrote once is there once', async () => {
    const made = await cloned();
    const { dock, clone, central, part } = made;
    await dock.settle();
    await order(clone.store, part, 'clone', 2);
    const again = await clone.clone();
    made.stations.push(again);
    const [of] = Object.values(shown(again.store)).filter(({ family }) => family === 'order');
    await order(clone.store, part, 'clone after', 2);
    await update(again.store, 'order', of?.id ?? 0, { notes: 'the same, changed by the copy' });
    await order(again.store, part, 'copy');
    await order(dock.store, part, 'dock', 2);
    await heldOff(clone);
    await dock.settle();
    await dock.settle();
    await clone.separate(central, 8);
    await clone.settle();
    await heldOff(again);
    await dock.settle();
    await again.separate(central, 9);
    await made.settle();
    await expectInStep(made);
    expect(notes(central.store)).toEqual(['clone after', 'copy', 'dock', 'the same, changed by the copy']);
  });

  it('is told from an answer that was lost, and from a central that was put back', async () => {
    const made = await cloned();
    const { dock, lab, clone, central, supplier } = made;
    made.stations.splice(2);
    const { carry } = dock;
    for (let turn = 0; turn < 4; turn += 1) {
      await update(dock.store, 'supplier', supplier, { primary_name: `turn ${turn}` });
      dock.carry = async request => {
        await carry(request);
        throw new TypeError('the answer is lost');
      };
      dock.engine.notify();
      await expect(dock.engine.step()).rejects.toThrow('lost');
      dock.carry = carry;
      if (turn % 2 === 0) await dock.settle();
    }
    const image = await central.copy();
    await update(lab.store, 'supplier', supplier, { primary_email: 'lab@example.com' });
    await made.settle();
    await central.putBack(image);
    await made.settle();
    await expectInStep(made);
    // It still tells a copy.
    await heldOff(clone);
  });
});

it.each([
  ['before it has read the log', true],
  ['after it has read the log', false],
])(
  'a machine that has become another station gives up what has the name of what central holds of the former one, %s',
  async (_, isBefore) => {
    const made = await cloned();
    const { dock, clone, central, supplier } = made;
    const hold = async () => {
      const held = await writeOdd(dock, supplier);
      await dock.settle();
      expect(central.exchange.reader().heldCommits.all()).toMatchObject([{ commit: { commit_id: held } }]);
      return held;
    };
    const named = (held: string) => nameAgain(clone, held, supplier);
    await dock.settle();
    await heldOff(clone);
    if (isBefore) {
      await named(await hold());
      await dock.settle();
      await clone.separate(central, 8);
    } else {
      await dock.settle();
      await clone.separate(central, 8);
      await clone.settle();
      await named(await hold());
    }
    const kept = await create(clone.store, 'supplier', { name: 'kept' });
    await clone.settle();
    await made.settle();
    for (const { engine } of made.stations) {
      expect(engine.state()).toMatchObject({ unsent: 0, stuck: null });
      expect(engine.digests()).toEqual(central.exchange.digests());
    }
    expect(shown(central.store)[kept.key]?.fields.name).toBe('kept');
    expect(shown(central.store)[`supplier:${supplier}`]?.fields.name).toBe('Acme');
    // A person decides on it, as before.
    const [held] = central.exchange.reader().heldCommits.all();
    expect(held?.commit.chain).toContain(dock.store.station);
    for (const store of made.stores()) expect(await faultsOf(store)).toEqual([]);
  },
);

/** As what followed what a copy of the machine issued again: it has the name, and nothing that says so. */
async function nameAgain({ store }: Peer, held: string, supplier: number): Promise<void> {
  const subject = `supplier:${supplier}`;
  await new StationStore(store, syncRules, store.database).writeOwn(decidedOf => {
    const over = [decidedOf(subject)?.creator ?? ''];
    const entries = [{ subject, changes: [{ path: 'name', old: 'Acme', new: 'again', over }] }];
    return [
      { commit_id: reissuedId(held), at: START, clock_offset: null, user: 'scale', reason: null, entries },
    ];
  });
}

it('a station whose image was put back goes on once a person has said so, and gets back what it had sent', async () => {
  const made = await fleet(2, PROVING);
  const [dock] = made.stations;
  if (!dock) throw new Error();
  const part = await create(dock.store, 'part', { name: 'Jar', unit_of_measure: 'units' });
  await made.settle();
  const image = await dock.copy();
  await order(dock.store, part.id, 'sent and lost here', 2);
  await made.settle();
  await dock.putBack(image);
  await order(dock.store, part.id, 'written after', 2);
  const machine = await heldOff(dock);
  await made.central.machines.choose(dock.store.station, machine, START);
  await made.settle();
  await made.settle();
  await expectInStep(made);
  expect(notes(made.central.store)).toEqual(['sent and lost here', 'written after']);
});
