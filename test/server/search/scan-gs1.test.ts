import { expect, it } from 'vitest';
import { findRecords } from '../../../server/search/find-records.ts';
import { readScan } from '../../../server/search/read-scan.ts';
import { openSite } from '../rules/site.ts';
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

it('finds the lot of a piece by its serial number, bare or in a GS1 code, and says that it is one', async () => {
  const store = await openSite();
  const reads = { records: store.records, sql: store.database.reader };
  const jar = await create(store, 'part', { name: 'Jar', barcodes: [GTIN], unit_of_measure: 'units' });
  const lid = await create(store, 'part', { name: 'Lid', unit_of_measure: 'units' });
  const line = (part_id: number, lot: string, ...serial_numbers: string[]) => ({
    part_id,
    serial_number: lot,
    unit_of_measure: 'EA',
    quantity_accepted: serial_numbers.length,
    serial_numbers,
  });
  await create(store, 'receiving-inspection', { items: [line(jar.id, 'J-1', 'SN-7', 'sn-8', 'SN-8')] });
  await create(store, 'receiving-inspection', {
    items: [line(lid.id, 'L-1', 'SN-7', 'X'), line(lid.id, 'L-2', 'x')],
  });
  const read = (data: string) => {
    const { kind, serial_number, matches } = readScan(reads, { data }, '2026-06-15');
    return [kind, serial_number, ...matches.map(({ title }) => title)];
  };
  const jars = [jar.fields.name];
  expect(read(`]C101${GTIN}21SN-7`)).toEqual(['lot', 'SN-7', 'J-1', ...jars]);
  expect(read(`]C101${GTIN}21SN-9`)).toEqual(['part', null, ...jars]);
  expect(read('SN-7')).toEqual(['lot', 'SN-7', 'L-1', 'J-1']);
  expect(read('sn-8')).toEqual(['lot', 'sn-8', 'J-1']);
  // As one of them is written.
  expect(read('X')).toEqual(['lot', 'X', 'L-1']);
  expect(read('x')).toEqual(['lot', 'x', 'L-2']);
  expect(findRecords(reads, 'sn-7', 10).map(({ title, is_exact }) => [title, is_exact])).toEqual([
    ['L-1', true],
    ['J-1', true],
  ]);
});
