import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readFormDraft } from '../../../server/store/form-drafts.ts';
import { Station } from '../../support/station.ts';
import { ClockedStation } from '../identity/clocked-station.ts';

const station = new Station();
let other: Record<string, string>;

const read = async (key: string, headers: Record<string, string> = {}) => {
  const { body } = await station.call('GET', `/x/drafts/${encodeURIComponent(key)}`, { headers });
  return (body as { data: { data: unknown } | null }).data;
};
const keep = (key: string, data: unknown, headers: Record<string, string> = {}) =>
  station.call('PUT', `/x/drafts/${encodeURIComponent(key)}`, { body: { data }, headers });

beforeAll(async () => {
  await station.start();
  const { body } = await station.post('/x/tokens', { name: 'Another', scopes: ['write'] });
  other = { authorization: `Bearer ${(body as { data: { secret: string } }).data.secret}` };
});
afterAll(() => station.stop());

describe('what is typed and not saved', () => {
  it('is there again after a kill, for who typed it alone', async () => {
    const typed = { name: 'Harbour Fast', notes: '"; DROP TABLE unsaved_input; --' };
    expect((await keep('new supplier', typed)).status).toBe(200);
    await station.kill();
    await station.restart();
    expect(await read('new supplier')).toMatchObject({ data: typed });
    expect(await read('new supplier', other)).toBeNull();
    expect(await read('new part')).toBeNull();
  });

  it('is gone once it is taken away', async () => {
    await keep('supplier:12', { name: 'A' });
    await keep('supplier:12', { name: 'AB' });
    expect(await read('supplier:12')).toMatchObject({ data: { name: 'AB' } });
    expect((await keep('supplier:12', null)).body).toMatchObject({ data: null });
    expect(await read('supplier:12')).toBeNull();
  });

  it('has a limit, and leaves what was kept before', async () => {
    await keep('long', 'short');
    const refused = await keep('long', 'x'.repeat(500_001));
    expect(refused.status).toBe(413);
    expect(refused.body).toMatchObject({ message: expect.stringContaining('500000') });
    expect(await read('long')).toMatchObject({ data: 'short' });
    expect((await keep('k'.repeat(201), 'x')).status).toBe(422);
  });

  it('makes room for the newest', async () => {
    for (let number = 0; number < 205; number++) await keep(`many ${number}`, number, other);
    expect(await read('many 204', other)).toMatchObject({ data: 204 });
    expect(await read('many 0', other)).toBeNull();
  });

  it('is no record: it stands in no history and no export', async () => {
    await keep('secret', { name: 'Only typed, never saved' });
    const { body } = await station.get('/x/find', { text: 'Only typed' });
    expect(body).toMatchObject({ data: [] });
  });
});

it('stays where a transaction of others is undone meanwhile', async () => {
  const at = new ClockedStation();
  await at.start();
  try {
    const { gate, database } = at.station.store;
    const requests: Promise<unknown>[] = [];
    const undone = gate.together(async () => {
      requests.push(at.call('PUT', '/x/drafts/supplier:12', { data: { name: 'Harbour' } }));
      // Requests that are answered after it: it has been read by then, and waits or not.
      for (let number = 0; number < 5; number++) await at.call('GET', '/suppliers');
      throw new Error('An import that is cancelled.');
    });
    await expect(undone).rejects.toThrow('cancelled');
    expect(await Promise.all(requests)).toMatchObject([{ status: 200 }]);
    expect(readFormDraft(database, 'token 0', 'supplier:12')).toMatchObject({ data: '{"name":"Harbour"}' });
  } finally {
    await at.end();
  }
});
