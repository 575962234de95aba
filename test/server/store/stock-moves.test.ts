import { expect, it } from 'vitest';
import { balancesOf, type LotFact, StockMoves } from '../../../server/store/lots.ts';
import { createTables } from '../../../server/store/tables.ts';
import { temporaryDatabase } from './sqlite/temporary-folder.ts';

const LARGEST = 10n ** 18n;

function opened() {
  const database = temporaryDatabase();
  createTables(database);
  return {
    move(quantity: bigint, isLimited = false) {
      const moves = new StockMoves();
      const fact: LotFact = { line: 0, lot: 7, batch: null, location: 0, quantity, lock: null };
      moves.add([fact], 1n);
      moves.write(database, isLimited);
    },
    stock: () => balancesOf(database, 7).map(({ quantity }) => quantity),
  };
}

it('is exact again after more than an integer of SQLite holds', () => {
  for (const sign of [1n, -1n]) {
    const { move, stock } = opened();
    for (let time = 0; time < 12; time += 1) move(sign * LARGEST);
    move(sign * 30n * LARGEST);
    for (let time = 0; time < 11; time += 1) move(-sign * LARGEST);
    move(-sign * 30n * LARGEST + 1n);
    expect(stock()).toEqual([sign * LARGEST + 1n]);
  }
});

it('ends at the limit on either side, however much comes at once, and leads back from beyond', () => {
  for (const sign of [1n, -1n]) {
    const { move, stock } = opened();
    move(sign * LARGEST, true);
    for (const more of [1n, LARGEST, 10n * LARGEST, 19n * LARGEST]) {
      expect(() => move(sign * more, true)).toThrow(
        'The lot 7 cannot hold more than 1000000000000 in one place.',
      );
      move(-sign * more);
    }
    move(sign * 2n);
    move(-sign, true);
    expect(stock()).toEqual([sign * (LARGEST + 1n)]);
  }
});

it('what cancels out within it is no move', () => {
  const moves = new StockMoves();
  const fact: LotFact = { line: 0, lot: 7, batch: null, location: 0, quantity: 5n, lock: null };
  moves.add([fact], -1n);
  moves.add([fact, { ...fact, location: 1 }], 1n);
  expect([...moves]).toEqual([{ lot: 7, location: 1, quantity: 5n }]);
});
