import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { syncRules } from '../../../../server/sync/log/rules.ts';
import { PROTOCOL, type Request } from '../../../../server/sync/protocol/wire.ts';
import { requestSchema } from '../../../../server/sync/protocol/wire-schemas.ts';
import { StationStore } from '../../../../server/sync/station/station-store.ts';
import { create, update } from '../../store/temporary-store.ts';
import { Central, faultsOf, Peer, shown } from './fleet.ts';

interface Exchange {
  request: Request;
  answer: unknown;
}

/** What a station of protocol 1 and its central said to each other; written anew by HOLDPOINT_RECORD=1. */
const FILE = fileURLToPath(new URL('../fixtures/protocol-1.json', import.meta.url));
const FIELD = 'of_a_newer_version';

if (process.env.HOLDPOINT_RECORD === '1') it('records a client of the present protocol', record);

async function record(): Promise<void> {
  const central = await Central.open();
  const recorded: Exchange[] = [];
  const carry = async (request: Request) => {
    const answer = await central.answer(request);
    recorded.push(JSON.parse(JSON.stringify({ request, answer })));
    return answer;
  };
  const peer = await Peer.join(carry, 1, { farBehind: 4 });
  await peer.settle();
  const { id } = await create(peer.store, 'supplier', { name: 'Acme' });
  const { id: part } = await create(peer.store, 'part', { name: 'Jar', unit_of_measure: 'units' });
  await create(peer.store, 'order', { items: [{ part_id: part, quantity: 2, serial_number: 'S' }] });
  await peer.settle();
  await update(peer.store, 'supplier', id, { primary_name: 'Ann' });
  const station = new StationStore(peer.store, syncRules, peer.store.database);
  await station.writeOwn(decidedOf => {
    const subject = `supplier:${id}`;
    const over = [decidedOf(subject)?.creator ?? ''];
    const about = { at: '2026-06-15T12:00:00.000Z', clock_offset: null, user: 'tester', reason: null };
    return [FIELD, 'Odd'].map((path, index) => ({
      ...about,
      commit_id: `00000000-0000-4000-8000-00000000000${index}`,
      entries: [{ subject, changes: [{ path, old: null, new: 'kept', over }] }],
    }));
  });
  await peer.settle();
  const at = '2026-06-15T12:00:00.000Z';
  const held = '00000000-0000-4000-8000-000000000001';
  await peer.engine.withdraw({ commit: held, user: 'ann', reason: 'Written by mistake.', at });
  await peer.settle();
  const fresh = await Peer.join(carry, 2, { farBehind: 0 });
  await fresh.settle();
  writeFileSync(FILE, `${JSON.stringify(recorded, undefined, 1)}\n`);
}

it('answers a recorded client of protocol 1 as it was answered then', async () => {
  const recorded: Exchange[] = JSON.parse(readFileSync(FILE, 'utf8'));
  expect(PROTOCOL.oldest).toBe(1);
  const central = await Central.open();
  /** What central names at random, as it was named then: epochs and countersignatures. */
  const names = new Map<string, string>();
  for (const { request, answer } of recorded) {
    const text = JSON.stringify(request, (_, value) =>
      typeof value === 'string' ? (names.get(value) ?? value) : value,
    );
    expectAnswer(await central.answer(requestSchema.parse(JSON.parse(text))), answer, names, request.kind);
  }
  expect(new Set(recorded.map(({ request }) => request.kind))).toEqual(new Set(['pull', 'push', 'snapshot']));
  const supplier = Object.values(shown(central.store)).find(({ family }) => family === 'supplier');
  expect(supplier?.fields).toMatchObject({ name: 'Acme', primary_name: 'Ann', [FIELD]: 'kept' });
  expect(await faultsOf(central.store)).toEqual([]);
});

/** All that was said then is said now; more may be. */
function expectAnswer(now: unknown, then: unknown, names: Map<string, string>, where: string): void {
  if (typeof then !== 'object' || then === null) {
    const isNamed = /\.(epoch|countersignature)$/.test(where);
    if (isNamed && typeof then === 'string' && typeof now === 'string' && then !== '') names.set(then, now);
    else if (!where.endsWith('.request')) expect(now, where).toEqual(then);
    return;
  }
  if (Array.isArray(then)) expect(now, where).toHaveLength(then.length);
  const given = new Map(Object.entries(now ?? {}));
  for (const [name, value] of Object.entries(then)) {
    expectAnswer(given.get(name), value, names, `${where}.${name}`);
  }
}
