import { describe, expect, it } from 'vitest';
import { fieldsByLine, readFiles } from './reading.ts';

const mapping = {
  source: 'test',
  steps: [
    {
      file: 'a.json',
      family: 'supplier',
      key: '$index',
      fields: { name: 'name', primary_phone: 'contact.phone', notes: 'a.b' },
    },
  ],
};
const readJson = (content: string) => readFiles(mapping, { 'a.json': content });

describe('JSON', () => {
  const one = { name: 'a}"{\\', contact: { phone: 123 }, 'a.b': 'dotted', more: [1, { x: '[' }] };
  const forms: [string, string, number[]][] = [
    ['an array', JSON.stringify([one, one]), [1, 1]],
    ['an array over many lines', JSON.stringify([one, one], null, 2), [2, 15]],
    ['one object a line', `${JSON.stringify(one)}\n${JSON.stringify(one)}\n`, [1, 2]],
    ['one object after the other', `${JSON.stringify(one)} ${JSON.stringify(one, null, 1)}`, [1, 1]],
    ['a byte order mark', `\ufeff[${JSON.stringify(one)}]`, [1]],
  ];
  it.each(forms)('is read as %s', async (_, content, lines) => {
    const reading = await readJson(content);
    expect(reading.faults).toEqual([]);
    const fields = { name: one.name, primary_phone: '123', notes: 'dotted' };
    expect(fieldsByLine(reading)).toEqual(lines.map(line => [line, fields]));
    expect(reading.unmapped).toEqual({ 'a.json': ['more'] });
  });

  it('may have nothing in it', async () => {
    expect(await readJson('[]')).toMatchObject({ rows: [], faults: [] });
  });

  it('is read over any length, whatever the pieces that it comes in', async () => {
    const many = Array.from({ length: 3_000 }, (_, index) => ({ name: `${index} ${'ü"\\'.repeat(40)}` }));
    const { rows } = await readJson(JSON.stringify(many));
    expect(rows.map(row => row.input.fields.name)).toEqual(many.map(({ name }) => name));
  });

  const badRows: [string, string, RegExp][] = [
    ['is not JSON', '{"name": nope}', /not valid JSON/],
    ['has a name twice', '{"name": "a", "name": "b"}', /more than once/],
    ['reaches a prototype', '{"__proto__": {"name": "a"}}', /not allowed/],
    ['has a number that loses digits', '{"name": 9007199254740993}', /lose digits/],
  ];
  it.each(badRows)('loses the object that %s, and no other', async (_, bad, message) => {
    const reading = await readJson(`[{"name": "a"},\n${bad},\n{"name": "c"}]`);
    expect(reading.faults).toMatchObject([{ line: 2, message: expect.stringMatching(message) }]);
    expect(reading.rows.map(row => row.input.fields.name)).toEqual(['a', 'c']);
  });

  const broken: [string, string, number, RegExp][] = [
    ['has something else than objects', '[\n1, 2]', 2, /where an object is due/],
    ['ends too early', '{"name": "a"}\n{"name": "b"', 2, /never closed/],
  ];
  it.each(broken)('that %s is refused', async (_, content, line, message) => {
    const { faults } = await readJson(content);
    expect(faults).toMatchObject([{ file: 'a.json', line, message: expect.stringMatching(message) }]);
  });
});
