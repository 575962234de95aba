import { expect, it } from 'vitest';
import { readScan } from '../../../server/search/read-scan.ts';
import { create, temporaryStore } from '../store/temporary-store.ts';

const GTIN = '04006381333931';
const GS = '\u001d';

it('reads the lot and the part out of a GS1 code, and a barcode in each of its lengths', async () => {
  const store = await temporaryStore();
  const part = await create(store, 'part', {
    name: 'Jar',
    barcodes: ['4006381333931'],
    unit_of_measure: 'units',
  });
  const other = await create(store, 'part', { name: 'Lid', unit_of_measure: 'units' });
  const lot = (id: number) =>
    create(store, 'inventory', { part_id: id, batch_number: 'L7', lot_unit: 'units' });
  const [own, foreign] = [await lot(part.id), await lot(other.id)];
  const keys = (data: string, symbology?: string) => {
    const { kind, matches } = readScan(
      { records: store.records, sql: store.database.reader },
      { data, symbology },
      '2026-06-15',
    );
    return [kind, ...matches.map(({ family, id }) => `${family}:${id}`)];
  };
  expect(keys('4006381333931')).toEqual(['part', part.key]);
  expect(keys(GTIN)).toEqual(['part', part.key]);
  expect(keys(`]C101${GTIN}10L7${GS}17270101`)).toEqual(['lot', own.key, part.key]);
  expect(keys(`01${GTIN}10L7`, ']d2')).toEqual(['lot', own.key, part.key]);
  expect(keys(`(01)${GTIN}(10)UNKNOWN`)).toEqual(['part', part.key]);
  expect(keys(`]C101${'04012345123456'}10L7`)).toEqual(['unknown']);
  expect(keys('L7').slice(1).toSorted()).toEqual([own.key, foreign.key].toSorted());
  expect(keys(`]C101${GTIN.slice(0, 13)}0`)).toEqual(['unknown']);
});
