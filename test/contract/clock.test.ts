import { afterAll, beforeAll, expect, it } from 'vitest';
import { readCommitsAfter } from '../../server/store/history.ts';
import { type Browser, dataOf, PASSWORD } from '../server/identity/browser.ts';
import { ClockedStation } from '../server/identity/clocked-station.ts';

/** When the clock of the station starts. */
const START = '2026-06-15T12:00:00.000Z';
const YEAR = 365 * 24 * 60;

const at = new ClockedStation();
let quinn: Browser;
beforeAll(async () => {
  await at.start();
  await at.user('quinn', ['quality']);
  quinn = await at.signedIn('quinn');
});
afterAll(() => at.end());

const idOf = (answer: Awaited<ReturnType<typeof at.call>>) => {
  const { id } = dataOf<{ id?: number }>(answer);
  return id ?? Number((answer.body as { meta: { id: number } }).meta.id);
};

/** Imports a supplier from a file, and waits for the end. */
async function runImport(): Promise<void> {
  const step = { file: 's.csv', family: 'supplier', key: 'no', fields: { name: 'name' } };
  const mapping = { source: 'old-system', steps: [step] };
  const { id } = dataOf<{ id: string }>(await at.call('POST', '/x/imports', { mapping }));
  const sent = await fetch(`${at.station.origin}/api/v2/x/imports/${id}/files/s.csv`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${at.token}`, 'content-type': 'application/octet-stream' },
    body: 'no,name\n1,Imported\n',
  });
  expect(sent.status).toBe(200);
  dataOf(await at.call('POST', `/x/imports/${id}/run`));
  await expect.poll(async () => dataOf(await at.call('GET', `/x/imports/${id}`)).state).toBe('done');
}

/** By each of them something is written that history keeps. */
const doors: Record<string, () => Promise<unknown>> = {
  'a new record': () => at.call('POST', '/suppliers', { name: 'Acme' }),
  'a change': async () => {
    const id = idOf(await at.call('POST', '/suppliers', { name: 'Best' }));
    await at.call('PATCH', `/suppliers/${id}`, { name: 'Better' });
  },
  'several at once': () =>
    at.call(
      'POST',
      '/parts/bulk',
      ['P-1', 'P-2'].map(number => ({ name: number, identification: number })),
    ),
  'a record with items': async () => {
    const part = idOf(await at.call('POST', '/parts', { name: 'Bolt' }));
    await at.call('POST', '/orders', { po_number: 'PO-1', items: [{ part_id: part, quantity: 1 }] });
  },
  'an import': runImport,
  'a person, with a signature': async () => {
    dataOf(await at.call('PUT', '/x/settings', { is_esignature_required: true }));
    const id = idOf(
      await quinn.post('/ncrs', { ncr_number: 'N-1', source: 'internal', esignature_password: PASSWORD }),
    );
    const body = { lot_number: 'L-1', esignature_password: PASSWORD };
    dataOf(await quinn.put(`/ncrs/${id}`, body));
    const [signature] = dataOf<object[]>(await quinn.get(`/x/signatures/ncr/${id}`));
    expect(signature).toMatchObject({ clock_at_least: expect.stringMatching(/^2026-/) });
    dataOf(await at.call('PUT', '/x/settings', { is_esignature_required: false }));
  },
  users: () => at.user('new', ['viewer']),
  settings: () => at.call('PUT', '/x/settings', { idle_lock_minutes: 7 }),
};

it.each(Object.keys(doors))(
  'what is written by %s bears the mark of a clock that is not confirmed',
  async name => {
    const { reader } = at.station.store.database;
    if (at.station.store.clockWatch.standing() === null) {
      at.set(-YEAR);
      at.station.store.clockWatch.look();
      dataOf(await quinn.post('/x/session/unlock', { password: PASSWORD }));
    }
    const before = readCommitsAfter(reader, 0, 1_000).at(-1)?.sequence ?? 0;
    await doors[name]?.();
    const written = readCommitsAfter(reader, before, 1_000).map(({ commit }) => commit);
    expect(written.length).toBeGreaterThan(0);
    for (const commit of written) {
      const away = Date.parse(commit.clock_at_least ?? '') - Date.parse(commit.at);
      expect(Math.round(away / 60_000)).toBe(YEAR);
    }
  },
);

it('the history of a record says it', async () => {
  const id = idOf(await at.call('POST', '/suppliers', { name: 'Audited' }));
  const [entry] = dataOf<object[]>(await at.call('GET', `/x/history/supplier/${id}`));
  expect(entry).toMatchObject({ clock_at_least: expect.stringMatching(/^2026-/), unknown: [] });
});

it('a record as of a moment is not dated before what the clock should at least have said', async () => {
  at.wait(60);
  const id = idOf(await at.call('POST', '/suppliers', { name: 'Not of half an hour ago' }));
  const asOf = (minutes: number) => new Date(Date.parse(START) + minutes * 60_000).toISOString();
  const then = (minutes: number) => at.call('GET', `/x/records/supplier/${id}?as_of=${asOf(minutes)}`);
  expect((await then(30)).status).toBe(404);
  // The present is not a time to come, whatever the clock says.
  expect((await then(60)).status).toBe(200);
});
