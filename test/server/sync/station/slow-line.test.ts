import { randomBytes } from 'node:crypto';
import { expect, it, onTestFinished } from 'vitest';
import { Station } from '../../../support/station.ts';
import { SlowLine } from '../../../system/sync/kit/slow-line.ts';
import { dataOf, syncOf, until, untilInStep } from '../../../system/sync/processes/installation.ts';
import { newCode } from '../../enrolment/enrolled.ts';

/** 192 kbit/s. */
const RATE = 24_000;
/** More than one message; the first takes longer than central waits for the body of any other request. */
const COUNT = 320;

/** A text that does not pack well. */
const note = () => randomBytes(1_125).toString('base64');

it('what was written without a line arrives over a slow one, in messages of which none takes long', async () => {
  const line = await SlowLine.open({ rate: RATE });
  onTestFinished(() => line.close());
  const central = new Station({ role: 'central', env: { HOLDPOINT_HOSTS: line.host } });
  const station = new Station();
  for (const each of [central, station]) {
    onTestFinished(() => each.stop());
    await each.start();
  }
  line.target = central.origin;
  const code = await newCode(central, 'Far');
  dataOf(await station.post('/x/sync/enrol', { address: `http://${line.host}`, code }));
  await untilInStep(central, [station]);
  for (let from = 0; from < COUNT; from += 40) {
    const rows = Array.from({ length: 40 }, () => station.post('/suppliers', { name: 'S', notes: note() }));
    for (const { status } of await Promise.all(rows)) expect(status).toBe(201);
  }
  const { line: known, says } = await until(
    'known to be slow',
    () => syncOf(station),
    state => state.line?.is_slow === true && state.unsent > 0 && (state.line.left ?? 0) > 0,
  );
  expect(says).toMatch(
    /^\d+ changes on the way to central\. The line is slow since \S+ \S+ UTC: \S+ kB a second up/,
  );
  expect(says).toMatch(/ About \d+ kB are left\.$/);
  expect(known?.sends).toBeLessThan(2 * RATE);
  await untilInStep(central, [station]);
  expect(await syncOf(station)).toMatchObject({ unsent: 0, unread: 0, line: { is_slow: true, left: 0 } });
});
