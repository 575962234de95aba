import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, it } from 'vitest';
import { newCode } from '../../../server/enrolment/enrolled.ts';
import { environmentOf, holdpoint } from '../../../server/transfer/holdpoint.ts';
import { type Answer, Station } from '../../../support/station.ts';
import { seededRandom } from '../../faults/seeded-random.ts';
import { conflictsOf, dataOf, faultsOf, syncOf, until, untilInStep } from './installation.ts';

/**
 * `HOLDPOINT_SYNC=full` pulls the plugs at ten moments of each step, and all of them after it; with every run that of one
 * machine is pulled after it.
 */
const isFull = process.env.HOLDPOINT_SYNC === 'full';
const ROUNDS = isFull ? 10 : 1;
const ATTEMPTS = 3;

const PLACES = ['central', 'dock', 'lab'] as const;
type Place = (typeof PLACES)[number];

let machines: Record<Place, Station> | undefined;
afterEach(async () => {
  for (const place of ['dock', 'lab', 'central'] as const) await machines?.[place].stop();
  machines = undefined;
});

/** What a person does in the walk-through, and at which machine. Again does nothing more. */
interface Step {
  does: string;
  at: Place;
  run: () => Promise<unknown>;
}

it.each(Array.from({ length: ROUNDS }, (_, round) => round))(
  'a plug that is pulled in each step of the walk-through loses nothing, round %i',
  async round => {
    const random = seededRandom(round);
    const { central, dock, lab } = begin();
    for (const each of [central, dock, lab]) await each.start();
    /** Machines that are away on purpose: their plug is out already. */
    const away = new Set<Place>();

    /** Does the step: pulls the plug of the machine that is asked in the midst of it, and other plugs after it. */
    const pullPlugsIn = async ({ does, at, run }: Step): Promise<void> => {
      const running = run().catch(() => undefined);
      await sleep(random.below(150));
      await machineAt(at).kill();
      await running;
      await machineAt(at).start();
      await again(does, run);
      const there = PLACES.filter(place => !away.has(place));
      const others = (isFull ? there : [random.pick(there)]).map(machineAt);
      await Promise.all(others.map(each => each.kill()));
      await Promise.all(others.map(each => each.start()));
      await again(does, run);
    };

    const codes = { dock: '', lab: '' };
    for (const place of ['dock', 'lab'] as const) {
      await pullPlugsIn({
        does: 'central makes a code',
        at: 'central',
        run: async () => {
          await revokeUnseenCodes(central);
          codes[place] = await newCode(central, place);
        },
      });
      await pullPlugsIn({
        does: 'the station enrols',
        at: place,
        run: async () => {
          const station = machineAt(place);
          if ((await syncOf(station)).name === place) return;
          // What `holdpoint enrol` does.
          dataOf(await station.post('/x/sync/enrol', { address: central.origin, code: codes[place] }));
        },
      });
    }

    const once = onceFor();
    let part = 0;
    await pullPlugsIn({
      does: 'a part is made',
      at: 'dock',
      run: async () => {
        part = dataOf<{ id: number }>(
          await once(dock, 'POST', '/parts', { name: 'Jar', identification: 'J-1' }),
        ).id;
      },
    });
    let order = { id: 0, items: [{ id: 0 }] };
    await pullPlugsIn({
      does: 'an order is made',
      at: 'dock',
      run: async () => {
        const body = { po_number: 'PO-1', items: [{ part_id: part, quantity: 10 }] };
        order = dataOf(await once(dock, 'POST', '/orders', body));
      },
    });
    await pullPlugsIn({
      does: 'all have it',
      at: 'central',
      run: () => untilInStep(central, [dock, lab]),
    });

    await central.kill();
    away.add('central');
    const path = `/orders/${order.id}`;
    const [item] = order.items;
    await pullPlugsIn({
      does: 'the dock edits the order offline',
      at: 'dock',
      run: async () => {
        const body = { items: [{ id: item?.id, quantity: 12 }], notes: 'From the dock' };
        dataOf(await once(dock, 'PATCH', path, body));
      },
    });
    await pullPlugsIn({
      does: 'the lab edits the order offline',
      at: 'lab',
      run: async () => {
        const body = { items: [{ id: item?.id, quantity: 15 }], due_date: '2031-02-01' };
        dataOf(await once(lab, 'PATCH', path, body));
      },
    });
    for (const each of [dock, lab]) {
      await until(
        'offline',
        () => syncOf(each),
        ({ state, unsent }) => state === 'offline' && unsent === 1,
      );
    }

    away.delete('central');
    await central.start();
    await pullPlugsIn({
      does: 'the network is back',
      at: 'central',
      run: () => untilInStep(central, [dock, lab]),
    });

    const all = [central, dock, lab];
    const merged = { notes: 'From the dock', due_date: '2031-02-01' };
    const orders = await Promise.all(all.map(each => each.get(`/x/records/order/${order.id}`)));
    const shown = orders.map(answer => dataOf<{ state: string; fields: unknown }>(answer));
    expect(shown[0]?.fields).toMatchObject(merged);
    expect(new Set(shown.map(({ state }) => state)).size).toBe(1);
    const [first, ...others] = await Promise.all(all.map(each => conflictsOf(each)));
    expect(first).toMatchObject([{ record_id: order.id, path: `items.${item?.id}.quantity`, state: 'open' }]);
    expect(first?.[0]?.values.map(({ value, station_name }) => [value, station_name]).sort()).toEqual([
      [12, 'dock'],
      [15, 'lab'],
    ]);
    for (const list of others) expect(list.map(one => one.id)).toEqual(first?.map(one => one.id));
    for (const each of [dock, lab]) {
      expect(await syncOf(each)).toMatchObject({ digests_agree: true, unsent: 0, held: [] });
      const compared = await holdpoint(environmentOf(each), 'verify', '--central');
      expect(compared).toMatchObject({ code: 0, output: expect.stringContaining("the same as central's") });
    }
    // Each write that was answered is there once.
    for (const each of all) {
      for (const family of ['orders', 'parts']) expect(dataOf(await each.get(`/${family}`))).toHaveLength(1);
      const history = dataOf<object[]>(await each.get(`/x/history/order/${order.id}`));
      expect(history).toHaveLength(3);
      expect(await faultsOf(each)).toEqual([]);
    }
  },
  900_000,
);

function begin(): Record<Place, Station> {
  machines = { central: new Station({ role: 'central' }), dock: new Station(), lab: new Station() };
  return machines;
}

function machineAt(place: Place): Station {
  if (!machines) throw new Error('Nothing has begun.');
  return machines[place];
}

/** A code is shown once: one whose answer was lost helps nobody. */
async function revokeUnseenCodes(central: Station): Promise<void> {
  const codes = dataOf<{ id: number; state: string }[]>(await central.get('/x/enrolment-codes'));
  for (const { id, state } of codes) {
    if (state === 'open') dataOf(await central.post(`/x/enrolment-codes/${id}/revoke`, {}));
  }
}

/** As a person does who sees that it failed. */
async function again(does: string, run: () => Promise<unknown>): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await run();
      return;
    } catch (cause) {
      if (attempt === ATTEMPTS) throw new Error(`This failed: ${does}.`, { cause });
      await sleep(250);
    }
  }
}

/** Calls that are the same write however often they are made. */
function onceFor() {
  const keys = new Map<string, string>();
  return (station: Station, method: string, path: string, body: unknown): Promise<Answer> => {
    const call = `${method} ${path} ${JSON.stringify(body)}`;
    const key = keys.get(call) ?? randomUUID();
    keys.set(call, key);
    return station.call(method, path, { body, headers: { 'idempotency-key': key } });
  };
}
