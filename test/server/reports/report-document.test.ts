import { describe, expect, it } from 'vitest';
import { reportDocument } from '../../../server/reports/report-document.ts';
import type { Column, ColumnType } from '../../../server/reports/report-shape.ts';
import { reportedFamilies } from '../../../server/reports/report-shape.ts';
import { reportViews } from '../../../server/reports/report-tables.ts';

function held(type: ColumnType, value: unknown): unknown {
  const columns: Column[] = [{ name: 'it', type, description: '' }];
  return reportDocument({ columns, items: {} }, { it: value }).it;
}

describe('what a report has of an answer', () => {
  it.each<[ColumnType, unknown, unknown]>([
    ['bigint', '17', 17],
    ['bigint', 'seventeen', undefined],
    ['numeric', 0.000001, 0.000001],
    ['numeric', 'much', undefined],
    ['boolean', '1', true],
    ['boolean', 0, false],
    ['date', '0001-01-01', '0001-01-01'],
    ['date', '2026-02-30', undefined],
    ['timestamptz', '2026-11-26 10:20:30', '2026-11-26T10:20:30.000Z'],
    ['timestamptz', 'soon', undefined],
    ['text', 'half \ud83d and \0', 'half \uFFFD and \uFFFD'],
    ['text', 'whole \u{1f600}', 'whole \u{1f600}'],
    ['jsonb', { 'a\0': ['\udc00'] }, { 'a\uFFFD': ['\uFFFD'] }],
    ['text', null, undefined],
  ])('%s holds %j as %j', (type, value, expected) => {
    expect(held(type, value)).toEqual(expected);
  });

  it('has the items that stand in it, and theirs', () => {
    const inspection = reportedFamilies().find(({ family }) => family === 'inspection');
    if (!inspection) throw new Error('There is no inspection.');
    const results = [{ id: 9, value: 30.5, passed: true }];
    const document = reportDocument(inspection, { id: '4', samples: [{ id: 5, passed: true, results }] });
    expect(document).toMatchObject({ samples: [{ id: 5, passed: true, results: [{ id: 9, value: 30.5 }] }] });
  });
});

it('no name of a view or column is longer than PostgreSQL reads, or stands twice', () => {
  const views = reportViews();
  const names = views.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  for (const { create } of views) {
    const columns = [...create.matchAll(/ AS "([^"]+)"/g)].map(([, name = '']) => name);
    expect(new Set(columns).size).toBe(columns.length);
    expect([...names, ...columns].filter(name => name.length > 63)).toEqual([]);
  }
});
