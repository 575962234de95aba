import { readUnconfirmed } from '../store/history.ts';
import { headedTable, notice } from './blocks.ts';
import type { PaperContext } from './context.ts';
import type { Block } from './paper.ts';

/** More of them say no more. */
const MOST = 50;

/** By which changes of these records were written a clock that was not confirmed: what it said and should at least have said. */
export function clockBlocks({ reading, words }: PaperContext, keys: readonly string[]): Block[] {
  const rows = keys.flatMap(key =>
    readUnconfirmed(reading.sql, key, MOST).map(row => ({
      key,
      ...row,
    })),
  );
  return headedTable(words, 'clockUnconfirmed', rows.slice(0, MOST), [
    ['clockRecord', 4, ({ key }) => key],
    ['clockWriter', 4, ({ user }) => words.text(user)],
    ['clockSaid', 4, ({ at }) => words.exactMoment(at)],
    ['clockAtLeast', 4, ({ clock_at_least: atLeast }) => words.exactMoment(atLeast)],
  ]);
}

/** That the paper itself is printed by such a clock. */
export function clockNotice({ reading, words }: PaperContext): Block[] {
  const { now, clockAtLeast: least } = reading;
  if (least === undefined) return [];
  const said = { says: words.exactMoment(now), least: words.exactMoment(least) };
  return [notice('wrong', words.say('clockPrinted', said))];
}
