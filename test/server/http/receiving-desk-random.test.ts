import { afterAll, beforeAll, expect, it } from 'vitest';
import { isOf } from '../../../renderer/screens/receiving/entries.ts';
import { amount } from '../../../renderer/screens/receiving/line.ts';
import { createWedge, type KeyOutcome } from '../../../shared/scanner/wedge.ts';
import fc from '../../support/fast-check.ts';
import { Station } from '../../support/station.ts';
import { openWindow, type Window } from './desk-window.ts';

const BOLT = '09506000134352';
const NUT = '4006381333931';
const FNC1 = '\u001d';
const DAMAGED = ']C10109506000134353';
/** Each so many runs the server is killed once: it takes a second. */
const RUNS_FOR_A_KILL = 20;

/** From keys to what is in stock: a scanner's keys, the desk without its screen, and a real server that is killed in between. */
const station = new Station();
const TIMEOUT_MS = 20 * 60_000;

beforeAll(async () => {
  await station.start();
  await station.post('/parts', { name: 'Bolt', unit_of_measure: 'units', barcodes: [BOLT] });
  await station.post('/parts', { name: 'Nut', unit_of_measure: 'units', barcodes: [NUT] });
});
afterAll(() => station.stop());

const count = fc.integer({ min: 1, max: 50 });
const step = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constant('pallet' as const), count, isExpired: fc.boolean() }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('again' as const) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('plain' as const), count }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('lone lot' as const), count }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('damaged' as const) }) },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('typed' as const), text: fc.stringMatching(/^[a-z]{1,12}$/) }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('left' as const) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('command' as const),
      code: fc.constantFrom('HP:REJECT', 'HP:YES', 'HP:SAVE'),
    }),
  },
);
/** How the scanner's keys come: one gap of up to 300 ms, once they can be told from a person's. */
const pace = fc.record({
  gap: fc.integer({ min: 1, max: 30 }),
  stutter: fc.record({ after: fc.integer({ min: 6, max: 40 }), ms: fc.integer({ min: 1, max: 300 }) }),
  rest: fc.integer({ min: 40, max: 400 }),
  isIdle: fc.boolean(),
});
const run = fc.array(fc.tuple(step, pace), { minLength: 2, maxLength: 6 });

it(
  'what is in stock and what is open adds up to what was scanned, whatever is scanned, typed, left and killed',
  async () => {
    const runs = Number(process.env.HOLDPOINT_SCAN_RUNS ?? 200);
    for (let seed = 1; seed <= runs; seed += 1) {
      const [steps = []] = fc.sample(run, { seed, numRuns: 1 });
      const killedAt = seed % RUNS_FOR_A_KILL === 0 ? Math.floor(steps.length / 2) : -1;
      const { given, found } = await played(seed, steps, killedAt);
      expect(found, `seed ${seed}`).toBe(given);
    }
  },
  TIMEOUT_MS,
);

type Steps = typeof run extends fc.Arbitrary<infer Value> ? Value : never;

/** Pieces that were scanned at a new receipt, and those that stand somewhere afterwards. */
async function played(
  seed: number,
  steps: Steps,
  killedAt: number,
): Promise<{ given: number; found: number }> {
  const { body } = await station.post('/receiving-inspections', {});
  const receipt = (body as { data: { id: number } }).data.id;
  let window = await openWindow(station, receipt);
  const scanner = createScanner((text, isCut) => window.desk.push(text, isCut));
  let given = 0;
  let last = { text: '', count: 0 };
  // A label that says how many there are, and of which part, in two codes says it of the piece that its first code counted, too:
  // in one run stand pieces that are counted one by one, in the next second codes.
  const hasPlain = seed % 2 === 0;
  for (const [place, [each, { isIdle, ...pace }]] of steps.entries()) {
    // Each label is of a package of its own.
    const lot = `L${seed}-${place}`;
    if (place === killedAt) await station.kill();
    if (each.kind === 'pallet' || each.kind === (hasPlain ? 'lone lot' : 'plain')) {
      const expiry = 'isExpired' in each && each.isExpired ? '200101' : '310100';
      last = { text: `]C101${BOLT}17${expiry}10${lot}${FNC1}30${each.count}`, count: each.count };
      scanner.scan(last.text, pace);
      given += last.count;
    } else if (each.kind === 'lone lot') {
      scanner.scan(`]C110${lot}${FNC1}30${each.count}`, pace);
      given += each.count;
    } else if (each.kind === 'again' && last.count > 0) {
      scanner.scan(last.text, pace);
      given += last.count;
    } else if (each.kind === 'plain') {
      // Of a scanner that names no symbology.
      scanner.scan(NUT, pace);
      given += 1;
    } else if (each.kind === 'damaged') scanner.scan(DAMAGED, pace);
    else if (each.kind === 'typed') scanner.type(each.text);
    else if (each.kind === 'command') scanner.scan(each.code, pace);
    if (place === killedAt) await station.restart();
    // No page opens while the server is away.
    if (each.kind === 'left') window = await left(window, receipt);
    if (isIdle) await window.desk.scans.idle();
  }
  await window.desk.scans.idle();
  await window.acts.follow([], () => true);
  await window.acts.finish();
  const open = window.board.entries().filter(isOf('scan'));
  const waiting = open.reduce((sum, { data }) => sum + Number(data.details.quantity ?? 0), 0);
  const { accepted, rejected } = window.desk.line.state().line;
  return { given, found: (await received(receipt)) + waiting + amount(accepted) + amount(rejected) };
}

/** The page is left, and the receipt opened again on the same machine. */
function left(window: Window, receipt: number): Promise<Window> {
  return openWindow(station, receipt, window);
}

/** All pieces that stand in saved lines of the receipt. */
async function received(receipt: number): Promise<number> {
  const { body } = await station.get(`/receiving-inspections/${receipt}`);
  const { items } = (body as { data: { items: Record<string, unknown>[] } }).data;
  return items.reduce(
    (sum, item) => sum + Number(item.quantity_accepted) + Number(item.quantity_rejected),
    0,
  );
}

/** Keys of a scanner and of a person, as the page's listener tells them apart. @param push gives back what takes it back */
function createScanner(push: (text: string, isCut: boolean) => () => void) {
  const wedge = createWedge();
  let at = 1_000;
  let takeBack: () => void = () => {};
  const settle = ({ scan, isCut, retracts }: Pick<KeyOutcome, 'scan' | 'isCut' | 'retracts'>) => {
    if (retracts) takeBack();
    if (scan !== null) takeBack = push(scan, isCut);
  };
  const wait = (ms: number) => {
    at += ms;
    const due = wedge.dueAt();
    if (due !== null && due < at) settle(wedge.pause());
  };
  const key = (name: string, ms: number) => {
    settle(wedge.key({ key: name, at }));
    wait(ms);
  };
  return {
    scan(
      text: string,
      { gap, stutter, rest }: { gap: number; stutter: { after: number; ms: number }; rest: number },
    ) {
      for (const [place, name] of [...text, 'Enter'].entries())
        key(name, place === stutter.after ? Math.max(gap, stutter.ms) : gap);
      wait(rest);
    },
    type(text: string) {
      wait(200);
      for (const letter of text) key(letter, 120);
      wait(400);
    },
  };
}
