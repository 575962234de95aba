import { describe, expect, it } from 'vitest';
import { columnsOf, guessMeanings, mappingOf, readHead } from '../../../../renderer/screens/lab/csv-head.ts';

describe("the head of an instrument's file", () => {
  it.each([
    ['Lot,pH\nA,3.5', { delimiter: ',', hasDecimalComma: false, columns: ['Lot', 'pH'] }],
    ['Lot;pH\r\nA;3,5\r\n', { delimiter: ';', hasDecimalComma: true, columns: ['Lot', 'pH'] }],
    ['Lot\tpH\nA\t3.5', { delimiter: '\t', hasDecimalComma: false, columns: ['Lot', 'pH'] }],
    [
      '\ufeffLot;pH (1,5 m)\nA;3.5',
      { delimiter: ';', hasDecimalComma: false, columns: ['Lot', 'pH (1,5 m)'] },
    ],
    // A comma that cuts is no decimal comma.
    ['Lot,pH\nA1,3', { delimiter: ',', hasDecimalComma: false, columns: ['Lot', 'pH'] }],
  ])('%j is read so', (csv, head) => {
    expect(readHead(csv)).toEqual(head);
  });

  it('has columns without blanks, quotes and what is not named', () => {
    expect(columnsOf('"Lot" ; "5"" pipe";;pH\nx', ';')).toEqual(['Lot', '5" pipe', 'pH']);
  });
});

describe('what columns mean', () => {
  it.each([
    ['Lot', 'batch_number'],
    ['batch_number', 'batch_number'],
    ['Charge', 'batch_number'],
    ['Los-Nr.', 'batch_number'],
    ['Test ID', 'testing_id'],
    ['Probennummer', 'testing_id'],
    ['Prüfnr', 'testing_id'],
    ['Datum', 'testing_date'],
    ['testing date', 'testing_date'],
    ['Analyst', 'inspector_name'],
    ['Prüfer', 'inspector_name'],
  ])('%s is probably the %s', (column, meaning) => {
    expect(guessMeanings([column], [])).toEqual({ [column]: meaning });
  });

  it.each(['Note', 'Update', 'Sample', 'Lots of it'])('of %s nothing is known', column => {
    expect(guessMeanings([column], [])).toEqual({});
  });

  it("is a measurement's where the template has it, in any case, and once each", () => {
    expect(guessMeanings(['ACIDITY', 'Acidity', 'Datum', 'Date', 'Lot'], ['Acidity', 'Lot'])).toEqual({
      ACIDITY: 'measures:Acidity',
      Datum: 'testing_date',
      Lot: 'measures:Lot',
    });
  });

  it('is sent as the interface takes it: fields by name, measurements by column', () => {
    const meanings = { Charge: 'batch_number', Acidity: 'measures:Acidity', PV: 'measures:Peroxide' };
    expect(mappingOf(meanings)).toEqual({
      columns: { batch_number: 'Charge' },
      measurements: { Acidity: 'Acidity', PV: 'Peroxide' },
    });
  });
});
