import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  newEnrolmentSecret,
  readEnrolmentCode,
  writeEnrolmentCode,
} from '../../../shared/contract/enrolment-code.ts';
import { Station } from '../../support/station.ts';
import { callWith, type EnrolledStation, enrol, enrolledStation, errorOf, newCode } from './enrolled.ts';

const central = new Station({ role: 'central' });
beforeAll(() => central.start());
afterAll(() => central.stop());

let names = 0;
const newName = () => `Dock ${++names}`;
const dataOf = (answer: { body: unknown }) => (answer.body as { data: EnrolledStation }).data;

interface ListedStation {
  id: number;
  station: string;
  name: string;
  blocks: number[];
  revoked_at: string | null;
  last_seen_at: string | null;
  clock_offset_ms: number;
}

async function listed(station: string): Promise<ListedStation> {
  const { body } = await central.get('/x/stations');
  const found = (body as { data: ListedStation[] }).data.find(each => each.station === station);
  if (!found) throw new Error(`No station ${station}.`);
  return found;
}

describe('a code for enrolment', () => {
  it('is shown once and lets one station in', async () => {
    const name = newName();
    const code = await newCode(central, name);
    const codes = await central.get('/x/enrolment-codes');
    const { secret } = readEnrolmentCode(code);
    expect(JSON.stringify(codes.body)).not.toContain(secret.slice(0, 8));
    expect((codes.body as { data: unknown[] }).data.at(-1)).toMatchObject({
      name,
      state: 'open',
      created_by: 'HOLDPOINT_TOKEN',
    });

    const station = randomUUID();
    const answer = await enrol(central, { code, station });
    expect([answer.status, answer.body]).toMatchObject([201, { data: { station, name, protocol: 1 } }]);
    expect(dataOf(answer).key).toMatch(/^hps_[\w-]{43}$/);
    expect(((await central.get('/x/enrolment-codes')).body as { data: unknown[] }).data.at(-1)).toMatchObject(
      { state: 'used' },
    );
    const other = await enrol(central, { code });
    expect([other.status, errorOf(other).message]).toEqual([
      403,
      'This code was used already. Ask central for a new one.',
    ]);
  });

  it('lets one of many in that come at once', async () => {
    const code = await newCode(central, newName());
    const answers = await Promise.all(Array.from({ length: 12 }, () => enrol(central, { code })));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, ...Array(11).fill(403)]);
  });

  it('gives the same block and a new key to the same station, until the key was used', async () => {
    const code = await newCode(central, newName());
    const station = randomUUID();
    const first = dataOf(await enrol(central, { code, station }));
    const again = await Promise.all([enrol(central, { code, station }), enrol(central, { code, station })]);
    expect(again.map(({ status }) => status)).toEqual([201, 201]);
    const [second, third] = again.map(dataOf);
    expect([second?.blocks, third?.blocks]).toEqual([first.blocks, first.blocks]);
    const statuses = [];
    for (const { key } of [first, second, third].flatMap(each => each ?? []))
      statuses.push((await callWith(central, key, 'GET', '/x/events')).status);
    // Of the two at once, either was the last.
    expect(statuses.toSorted()).toEqual([401, 401, 403]);

    const { key } = dataOf(await enrol(central, { code, station }));
    expect((await callWith(central, key, 'POST', '/x/stations/block')).status).toBe(201);
    const late = await enrol(central, { code, station });
    expect([late.status, errorOf(late).message]).toMatchObject([
      403,
      expect.stringContaining('used already'),
    ]);
    expect((await callWith(central, key, 'POST', '/x/stations/block')).status).toBe(201);
  });

  it('does not bring a revoked station back; a new one does, with a new block', async () => {
    const code = await newCode(central, newName());
    const station = randomUUID();
    const { block } = dataOf(await enrol(central, { code, station }));
    await central.post(`/x/stations/${(await listed(station)).id}/revoke`);
    expect((await enrol(central, { code, station })).status).toBe(403);
    const back = dataOf(await enrol(central, { code: await newCode(central, newName()), station }));
    expect(back.blocks).toEqual([block, back.block]);
    expect(await listed(station)).toMatchObject({ revoked_at: null, blocks: back.blocks });
  });

  it('that was revoked opens nothing', async () => {
    const code = await newCode(central, newName());
    const codes = (await central.get('/x/enrolment-codes')).body as { data: { id: number }[] };
    const { id } = codes.data.at(-1) ?? { id: 0 };
    expect((await central.post(`/x/enrolment-codes/${id}/revoke`)).body).toMatchObject({
      data: { state: 'revoked' },
    });
    const answer = await enrol(central, { code });
    expect([answer.status, errorOf(answer).message]).toEqual([
      403,
      'This code was revoked. Ask central for a new one.',
    ]);
    expect((await central.post('/x/enrolment-codes/999999/revoke')).status).toBe(404);
  });

  it('that is mistyped is told from one that is unknown', async () => {
    const code = await newCode(central, newName());
    const wrong = `${code.slice(0, -1)}${code.endsWith('0') ? '1' : '0'}`;
    const mistyped = await enrol(central, { code: wrong });
    expect([mistyped.status, errorOf(mistyped).errors]).toEqual([
      422,
      { code: ['The code is mistyped or cut off. Copy it whole, as central showed it.'] },
    ]);
    expect((await enrol(central, { code: code.toLowerCase().replaceAll('-', '') })).status).toBe(201);
  });
});

describe('a request for enrolment', () => {
  it('leaves no station and uses no code where it is refused', async () => {
    const name = newName();
    const code = await newCode(central, name);
    const taken = newName();
    await enrolledStation(central, taken);
    const before = (await central.get('/x/stations')).body;
    const refused: [Record<string, unknown>, number, string][] = [
      [{ name: taken }, 409, `A station has the name "${taken}" already. Give another name.`],
      [{ name: ' ' }, 422, 'name'],
      [{ name: 'a\u0000b' }, 422, 'name'],
      [{ name: 'x'.repeat(101) }, 422, 'name'],
      [{ station: 'dock' }, 422, 'station'],
      [{ station: undefined }, 422, 'station'],
      [{ clock: 'yesterday' }, 422, 'clock'],
      [{ protocol: { min: 2, max: 9 } }, 426, 'Update central.'],
      [{ protocol: { min: 0, max: 0 } }, 422, 'protocol.min'],
      [{ protocol: { min: 9, max: 1 } }, 426, 'versions 9 to 1'],
      [{ code: 7 }, 422, 'code'],
    ];
    for (const [body, status, words] of refused) {
      const answer = await enrol(central, { code, ...body });
      expect([answer.status, errorOf(answer).message], words).toEqual([
        status,
        expect.stringContaining(words),
      ]);
    }
    expect((await central.get('/x/stations')).body).toEqual(before);
    expect(dataOf(await enrol(central, { code })).name).toBe(name);
  });

  it('tells how far the clocks are apart', async () => {
    const station = randomUUID();
    const clock = new Date(Date.now() - 7_200_000).toISOString();
    await enrol(central, { code: await newCode(central, newName()), station, clock });
    const { clock_offset_ms: offset } = await listed(station);
    expect(Math.round(offset / 60_000)).toBe(-120);
  });

  it('may give another name than the code', async () => {
    const name = `${newName()} north`;
    const answer = await enrol(central, { code: await newCode(central, newName()), name });
    expect(dataOf(answer).name).toBe(name);
  });
});

describe('a code that is asked for', () => {
  it.each([
    [{ hours: 1 }, 'name'],
    [{ name: 'A', hours: 0 }, 'hours'],
    [{ name: 'A', hours: 169 }, 'hours'],
    [{ name: 'A', hours: '24' }, 'hours'],
    [{ name: 'A', hours: 1.5 }, 'hours'],
    [{ name: '' }, 'name'],
  ])('as %j is refused', async (body, field) => {
    const answer = await central.post('/x/enrolment-codes', body);
    expect([answer.status, Object.keys(errorOf(answer).errors ?? {})]).toEqual([422, [field]]);
  });

  it('for a name that another open code has is refused', async () => {
    const name = newName();
    await newCode(central, name);
    const answer = await central.post('/x/enrolment-codes', { name: name.toUpperCase() });
    expect([answer.status, errorOf(answer).code]).toEqual([409, 'conflict']);
  });
});

describe('the interface of a central', () => {
  it('gives a station exactly what is for stations', async () => {
    const { key } = await enrolledStation(central, newName());
    expect((await callWith(central, key, 'POST', '/x/stations/block', {})).status).toBe(201);
    const others: [string, string][] = [
      ['GET', '/suppliers'],
      ['POST', '/suppliers'],
      ['GET', '/x/events'],
      ['GET', '/x/stations'],
      ['POST', '/x/enrolment-codes'],
      ['GET', '/x/tokens'],
      ['GET', '/openapi.json'],
      ['POST', '/x/stations/1/revoke'],
      ['PUT', '/x/settings'],
    ];
    for (const [method, path] of others) {
      const { status } = await callWith(central, key, method, path, method === 'GET' ? undefined : {});
      expect([method, path, status]).toEqual([method, path, 403]);
    }
  });

  it('gives nobody else what is for stations', async () => {
    const administrator = await central.post('/x/stations/block', {});
    expect([administrator.status, errorOf(administrator).message]).toEqual([
      403,
      'This needs the key of a station.',
    ]);
    for (const key of ['', 'hps_', `hps_${'A'.repeat(43)}`, `hps_${'A'.repeat(5_000)}`]) {
      expect((await callWith(central, key, 'POST', '/x/stations/block', {})).status).toBe(401);
    }
  });

  it('refuses the key of a revoked station from the next call on', async () => {
    const { key, station } = await enrolledStation(central, newName());
    expect((await callWith(central, key, 'POST', '/x/stations/block')).status).toBe(201);
    const { id } = await listed(station);
    const revoked = await central.post(`/x/stations/${id}/revoke`);
    expect(revoked.body).toMatchObject({ data: { id, station, revoked_at: expect.any(String) } });
    expect((await callWith(central, key, 'POST', '/x/stations/block')).status).toBe(401);
    expect((await central.post(`/x/stations/${id}/revoke`)).status).toBe(200);
    expect((await central.post('/x/stations/999999/revoke')).status).toBe(404);
  });

  it('gives every block once, to stations that ask at once', async () => {
    const keys = await Promise.all([1, 2, 3].map(() => enrolledStation(central, newName())));
    const asked = keys.flatMap(({ key }) =>
      Array.from({ length: 10 }, () => callWith(central, key, 'POST', '/x/stations/block')),
    );
    const blocks = (await Promise.all(asked)).map(answer => dataOf(answer).block);
    const { body } = await central.get('/x/stations');
    const all = (body as { data: ListedStation[] }).data.flatMap(each => each.blocks);
    expect(new Set(all).size).toBe(all.length);
    expect(all).toEqual(expect.arrayContaining(blocks));
    expect(all).not.toContain(0);
  });

  it('writes no key and no code into its log', async () => {
    const code = await newCode(central, newName());
    const { key } = dataOf(await enrol(central, { code }));
    expect(central.output).not.toContain(key.slice(4, 20));
    expect(central.output).not.toContain(code.slice(4, 20));
  });
});

describe('guessing', () => {
  it('ends after ten codes that nobody made, for whoever comes from there', async () => {
    const own = new Station({ role: 'central' });
    await own.start();
    try {
      const good = await newCode(own, 'Dock');
      const guess = () =>
        writeEnrolmentCode({
          secret: newEnrolmentSecret(size => crypto.getRandomValues(new Uint8Array(size))),
          fingerprint: null,
        });
      const answers = [];
      for (let count = 0; count < 12; count += 1) answers.push(await enrol(own, { code: guess() }));
      expect(answers.map(({ status }) => status)).toEqual([...Array(10).fill(403), 429, 429]);
      const [first] = answers.map(errorOf);
      expect(first?.message).toBe('This code is not accepted. Check it, or ask central for a new one.');
      expect(Number(answers.at(-1)?.headers.get('retry-after'))).toBeGreaterThan(0);
      expect((await enrol(own, { code: good })).status).toBe(429);
      expect((await own.get('/suppliers')).status).toBe(200);
    } finally {
      await own.stop();
    }
  });
});

describe('a station', () => {
  it('has no stations', async () => {
    const station = new Station();
    await station.start();
    try {
      const refused = [
        await station.post('/x/enrolment-codes', { name: 'Dock' }),
        await enrol(station, { code: writeEnrolmentCode({ secret: 'A'.repeat(24), fingerprint: null }) }),
      ];
      expect(refused.map(({ status }) => status)).toEqual([409, 409]);
      expect((await station.get('/x/stations')).body).toMatchObject({ data: [] });
    } finally {
      await station.stop();
    }
  });
});
