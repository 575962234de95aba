import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { StationMachines } from '../../../../server/sync/central/station-machines.ts';
import type { Proof } from '../../../../server/sync/protocol/proof.ts';
import { START, temporaryStore } from '../../store/temporary-store.ts';

const SIGNING = {
  countersign: (text: string) => `signed ${text}`,
  verify: (text: string, signature: string) => signature === `signed ${text}`,
};
const LATER = '2026-06-15T12:00:30.000Z';

async function central() {
  const store = await temporaryStore();
  const machines = new StationMachines(store, SIGNING);
  const station = randomUUID();
  const call = (proof: Proof, unsent: number | null = null) =>
    machines.admit({ station, proof, at: START, unsent, version: null });
  const inGate = (work: () => void) => store.gate.together(async () => work());
  return { store, machines, station, call, inGate };
}

const first: Proof = { count: 0, proof: '', countersignature: '', next: 'a' };
const own: Proof = { count: 1, proof: 'a', countersignature: '', next: 'b' };
const copied: Proof = { count: 1, proof: 'a', countersignature: '', next: 'c' };

it('are kept with what was agreed, so that a copy is told after a start of central as well', async () => {
  const { store, station, call } = await central();
  await call(first);
  await call(own);
  const again = new StationMachines(store, SIGNING);
  const admission = await again.admit({ station, proof: copied, at: LATER, unsent: 3, version: '1.0.0' });
  expect(admission).toEqual({
    heldOff: { kind: 'held_off', machine: expect.any(String), noticed_at: LATER, is_decided: false },
  });
  const kept = new StationMachines(store, SIGNING).of(station);
  expect(kept).toMatchObject({ noticed_at: LATER, machines: [{ proofs: ['', 'a', 'b'] }, { unsent: 3 }] });
});

it('are counted by central: what a machine says of its count gives it no later name', async () => {
  const { call } = await central();
  await call(first);
  const admission = await call({ ...own, count: 1_000_000 });
  expect(admission).toMatchObject({ beside: { agreed: { count: 2, proof: 'b' } } });
  // Repeated, because the answer was lost.
  expect(await call({ ...own, count: 1_000_000 })).toMatchObject({ beside: { agreed: { count: 2 } } });
});

it('are chosen among those that call', async () => {
  const { machines, station, call } = await central();
  await call(first);
  await expect(machines.choose(station, 'FFFF', START)).rejects.toThrow('There is nothing to choose.');
  await call(own);
  const { heldOff } = await call(copied);
  const ids = machines.of(station)?.machines.map(({ id }) => id) ?? [];
  const none = ids.includes('0000') ? '0001' : '0000';
  await expect(machines.choose(station, none, START)).rejects.toMatchObject({
    code: 'not_found',
    message: `No machine "${none}" calls as this station. Give one of ${ids.join(', ')}.`,
  });
  await machines.choose(station, heldOff?.machine ?? '', START);
  expect(await call(copied)).toMatchObject({ heldOff: undefined, beside: { doubled: { is_decided: true } } });
  expect((await call(own)).heldOff).toMatchObject({ machine: ids[0], is_decided: true });
});

it('leave as a station of their own once the one that goes on has sent all', async () => {
  const { machines, station, call, inGate } = await central();
  const fresh = randomUUID();
  const leaving = (proof: Proof, isKnown = false) =>
    machines.enrolling(
      { station: fresh, separated_from: { station: station.toUpperCase(), proof } },
      isKnown,
    );
  await call(first);
  await call(own, 0);
  expect(() => leaving(own)).toThrow('Central goes on with this very machine');
  // As a command makes it up whose station is between two steps: only a look, and no step.
  const looked: Proof = { count: 2, proof: 'b', countersignature: '', next: 'made up' };
  expect(() => leaving(looked)).toThrow('Central goes on with this very machine');
  expect(() => leaving(copied)).toThrow('has not noticed this machine');
  expect(machines.of(station)).toMatchObject({ noticed_at: null, machines: [{ proofs: ['', 'a', 'b'] }] });
  await call(copied);
  expect(() => leaving(copied)).toThrow('has not heard yet');
  await call(own, 2);
  expect(() => leaving(copied)).toThrow('has not heard yet');
  // A step that it took before the other one was noticed: the message may be of then.
  await call(own, 0);
  expect(() => leaving(copied)).toThrow('has not heard yet');
  expect((await call({ ...looked, next: 'd' }, 0)).heldOff).toBeUndefined();
  expect((await call(copied)).heldOff).toBeDefined();
  const [id = ''] = [machines.of(station)?.machines[1]?.id];
  const left = inGate(() => leaving(copied));
  // It leaves just now.
  await expect(machines.choose(station, id, START)).rejects.toThrow('There is nothing to choose.');
  await left;
  expect(machines.of(station)).toMatchObject({ noticed_at: null, machines: [{ has_sent_all: true }] });
  // Its answer was lost: it asks again.
  await inGate(() => leaving(copied, true));
  expect(machines.of(station)).toMatchObject({ noticed_at: null });
  // A late message of it, and an older image, are it.
  expect((await call(copied)).heldOff).toMatchObject({ machine: id, is_decided: true });
  expect(machines.of(station)).toMatchObject({ noticed_at: null, machines: [{}] });
  await inGate(() => leaving(copied));
});

it('begin anew with another enrolment, which does not decide between two', async () => {
  const { machines, station, call, inGate } = await central();
  const enrol = async () => inGate(() => machines.enrolling({ station }, true));
  await call(first);
  await enrol();
  expect(machines.of(station)).toBeUndefined();
  await call({ ...first, next: 'anew' });
  await call(copied);
  await expect(enrol()).rejects.toThrow('Several machines call as this station.');
  // Their key was revoked.
  await inGate(() => machines.forget(station));
  await enrol();
  expect((await call(copied)).heldOff).toBeUndefined();
});

it('stay as they were where the enrolment fails', async () => {
  const { machines, station, call, inGate } = await central();
  await call(first);
  const failed = inGate(() => {
    machines.forget(station);
    throw new Error('afterwards');
  });
  await expect(failed).rejects.toThrow('afterwards');
  expect(machines.of(station)?.machines).toHaveLength(1);
});
