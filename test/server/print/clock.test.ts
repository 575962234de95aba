import { expect, it } from 'vitest';
import { makePaper } from '../../../server/print/make-paper.ts';
import type { Language } from '../../../shared/operations/paper-operations.ts';
import { contextOf } from '../rules/site.ts';
import { create, temporaryStore, update } from '../store/temporary-store.ts';
import { recordIn } from './printed.ts';

const START = Date.parse('2026-06-15T12:00:00.000Z');
const DAY = 86_400_000;

/** A report that was changed a day after its making, by a clock that had been set back 400 days. */
async function changedMeanwhile() {
  let [wall, steady] = [START, 1_000];
  const store = await temporaryStore({ clock: () => new Date(wall), steady: () => steady });
  await create(store, 'company', { name: 'Ours' });
  await create(store, 'setting', { time_zone: 'Europe/Berlin' }, { id: 1 });
  const { id } = await create(store, 'ncr', { ncr_number: 'N-1', source: 'internal' });
  const print = (language: Language, clockAtLeast?: string) => {
    const reading = { ...contextOf(store, new Date(wall).toISOString()), clockAtLeast };
    const record = recordIn(store, 'ncr', id);
    return JSON.stringify(makePaper(reading, { document: 'ncr', record, language, user: 'Ada' }).blocks);
  };
  const before = print('en');
  wall -= 399 * DAY;
  steady += DAY;
  await update(store, 'ncr', id, { lot_number: 'L-1' }, { user: 'otto', reason: 'Found.' });
  return { before, print, standing: store.clockWatch.standing() };
}

it('paper says of a change that the clock was not confirmed, what it said and should at least have said', async () => {
  const { before, print, standing } = await changedMeanwhile();
  expect(before).not.toContain('not confirmed');
  const english = print('en');
  expect(english).toContain('Written while a clock was not confirmed');
  expect(english).toMatch(/"otto","[^"]*2025[^"]*","[^"]*2026[^"]*"/);
  expect(english).not.toContain('by which this was printed');
  expect(print('en', standing?.atLeast)).toMatch(
    /Clock not confirmed: the clock by which this was printed said [^.]*2025.* should have said .*2026/,
  );
  const german = print('de', standing?.atLeast);
  expect(german).toContain('Geschrieben, während eine Uhr nicht bestätigt war');
  expect(german).toContain('Uhr nicht bestätigt: Die Uhr, nach der dies gedruckt wurde');
});
