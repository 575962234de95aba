import { expect, it } from 'vitest';
import { createSyncTables } from '../../../../server/sync/log/tables.ts';
import { KeptCheckpoints } from '../../../../server/sync/station/kept-checkpoints.ts';
import { openAuthority } from '../../../../server/trust/authority-key.ts';
import { signCheckpoint } from '../../../../server/trust/checkpoint.ts';
import { temporaryFolder } from '../../store/sqlite/temporary-folder.ts';
import { temporaryStore } from '../../store/temporary-store.ts';

const CENTRAL = 'c1';

/** A station that keeps, and its central's word on places of its log. */
async function keeping() {
  const store = await temporaryStore();
  await store.gate.applyRemote(() => {
    createSyncTables(store.database);
    return { result: undefined };
  });
  const authority = openAuthority(temporaryFolder());
  const of = (sequence: number, at: string, epoch = 'e1', installation = CENTRAL) => {
    const log = { epoch, sequence, hash: sequence.toString(16).padStart(64, '0') };
    return signCheckpoint(authority, { installation, at: `2026-06-${at}.000Z`, log, chain: null });
  };
  const now = { at: '2026-06-01T00:00:00.000Z' };
  const clock = () => new Date(now.at);
  const kept = new KeptCheckpoints(store, clock);
  const placesOf = (one = kept) => one.list().map(({ log }) => `${log?.epoch} ${log?.sequence}`);
  return { store, kept, of, placesOf, clock, now };
}

it('keeps of each day and epoch the last one, the newest first, over restarts', async () => {
  const { store, kept, of, placesOf, clock, now } = await keeping();
  for (const one of [
    of(3, '01T08:00:00'),
    of(7, '01T18:00:00'),
    of(9, '02T08:00:00'),
    of(1, '02T09:00:00', 'e2'),
  ]) {
    now.at = one.at;
    await kept.keep(CENTRAL, one);
    await kept.write();
  }
  // An answer that was long on its way.
  now.at = '2026-06-02T10:00:00.000Z';
  await kept.keep(CENTRAL, of(5, '01T12:00:00'));
  await kept.write();
  expect(placesOf()).toEqual(['e1 9', 'e2 1', 'e1 7']);
  expect(placesOf(new KeptCheckpoints(store, clock))).toEqual(placesOf());
});

it('takes the first at once, and what follows within a minute when it ends', async () => {
  const { kept, of, placesOf } = await keeping();
  await kept.keep(CENTRAL, of(1, '01T08:00:00'));
  expect(placesOf()).toEqual(['e1 1']);
  await kept.keep(CENTRAL, of(2, '01T08:00:01'));
  expect(placesOf()).toEqual(['e1 1']);
  await kept.write();
  expect(placesOf()).toEqual(['e1 2']);
});

it('keeps nothing that central did not sign, and goes on', async () => {
  const { kept, of, placesOf } = await keeping();
  const sound = of(4, '01T08:00:00');
  await kept.keep(CENTRAL, { ...sound, at: '2026-06-01T09:00:00.000Z' });
  await kept.keep(CENTRAL, of(5, '01T08:00:00', 'e1', 'somebody'));
  await kept.keep(CENTRAL, { ...of(6, '01T08:00:00'), log: null });
  await kept.keep(CENTRAL, undefined);
  expect(placesOf()).toEqual([]);
  await kept.keep(CENTRAL, sound);
  expect(placesOf()).toEqual(['e1 4']);
});

it('keeps what central signed on a former day, whatever day central says later', async () => {
  const { kept, of, now } = await keeping();
  const sound = of(7, '01T18:00:00');
  now.at = sound.at;
  await kept.keep(CENTRAL, sound);
  await kept.write();
  now.at = '2026-06-02T08:00:00.000Z';
  await kept.keep(CENTRAL, of(8, '01T19:00:00'));
  await kept.write();
  expect(kept.list()).toContainEqual(sound);
});
