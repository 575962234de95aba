import { describe, expect, it } from 'vitest';
import { type ArrivedGoods, arrivedOf, type OrderedLine } from '../../../shared/families/arrived-lines.ts';
import fc from '../../support/fast-check.ts';

const BOLT = 1;
const NUT = 2;
const line = (id: number, group: number, quantity: bigint, lot?: string): OrderedLine => ({
  id,
  group,
  quantity,
  lot,
});
const goods = (group: number, quantity: bigint, lot?: string): ArrivedGoods => ({ group, quantity, lot });
const arrived = (lines: OrderedLine[], came: ArrivedGoods[]) => Object.fromEntries(arrivedOf(lines, came));

describe('what has arrived of an order', () => {
  it.each<[string, OrderedLine[], ArrivedGoods[], Record<number, bigint>]>([
    ['nothing', [line(1, BOLT, 10n)], [], { 1: 0n }],
    ['a part of it', [line(1, BOLT, 10n)], [goods(BOLT, 4n), goods(BOLT, 3n)], { 1: 7n }],
    ['of another part', [line(1, BOLT, 10n)], [goods(NUT, 4n)], { 1: 0n }],
    [
      'lines fill in their order',
      [line(1, BOLT, 10n), line(2, BOLT, 5n)],
      [goods(BOLT, 12n)],
      { 1: 10n, 2: 2n },
    ],
    [
      'too many stand on the last',
      [line(1, BOLT, 10n), line(2, BOLT, 5n)],
      [goods(BOLT, 18n)],
      { 1: 10n, 2: 8n },
    ],
    [
      'an announced lot first fills its own line',
      [line(1, BOLT, 10n), line(2, BOLT, 5n, 'L2')],
      [goods(BOLT, 5n, ' l2 '), goods(BOLT, 1n, 'X')],
      { 1: 1n, 2: 5n },
    ],
    [
      'what is more than was announced of a lot goes on',
      [line(1, BOLT, 10n, 'L1'), line(2, BOLT, 5n, 'L2')],
      [goods(BOLT, 7n, 'L2')],
      { 1: 2n, 2: 5n },
    ],
  ])('%s', (_name, lines, came, expected) => {
    expect(arrived(lines, came)).toEqual(expected);
  });

  it('adds up, and no line is over while another of its part is short', () => {
    const group = fc.constantFrom(BOLT, NUT);
    const lot = fc.constantFrom(undefined, 'L1', 'L2');
    const quantity = fc.bigInt(0n, 20n);
    fc.assert(
      fc.property(
        fc.array(fc.record({ group, quantity, lot }), { maxLength: 6 }),
        fc.array(fc.record({ group, quantity, lot }), { maxLength: 8 }),
        (ordered, came) => {
          const lines = ordered.map((each, index) => ({ id: index + 1, ...each }));
          const result = arrivedOf(lines, came);
          for (const of of [BOLT, NUT]) {
            const own = lines.filter(each => each.group === of);
            const sum = own.reduce((total, each) => total + (result.get(each.id) ?? 0n), 0n);
            const all = came
              .filter(each => each.group === of)
              .reduce((total, each) => total + each.quantity, 0n);
            expect(sum).toBe(own.length > 0 ? all : 0n);
            const isOver = own.some(each => (result.get(each.id) ?? 0n) > each.quantity);
            const isShort = own.some(each => (result.get(each.id) ?? 0n) < each.quantity);
            expect(isOver && isShort).toBe(false);
          }
        },
      ),
    );
  });
});
