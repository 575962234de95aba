import { expect, it } from 'vitest';
import { meantBy } from '../../../../renderer/ui/scan/meant-by.ts';
import type { Scan } from '../../../../shared/operations/overview-operations.ts';

const record = (family: string, id: number) => ({ family, id, title: `${family} ${id}`, subtitle: null });
const scan = (kind: Scan['kind'], ...matches: Scan['matches']): Scan => ({
  kind,
  serial_number: null,
  matches,
});

it('the label of a lot opens the lot, though it names the part as well', () => {
  expect(meantBy(scan('lot', record('inventory', 5), record('part', 1)))).toMatchObject({ id: 5 });
});

it('one record is opened, of several a person chooses', () => {
  expect(meantBy(scan('part', record('part', 1)))).toMatchObject({ family: 'part' });
  expect(meantBy(scan('unknown'))).toBeUndefined();
  // Two lots of one number, and a code that is a part's and by chance a lot's.
  expect(
    meantBy(scan('lot', record('inventory', 5), record('inventory', 6), record('part', 1))),
  ).toBeUndefined();
  expect(meantBy(scan('part', record('part', 1), record('inventory', 5)))).toBeUndefined();
});
