import { describe, expect, it } from 'vitest';
import {
  type CellStore,
  createCellStore,
  keyOf,
} from '../../../../renderer/screens/inspection/cell-store.ts';
import {
  characteristicsOf,
  emptyEntry,
  rowsOf,
  SERIAL,
} from '../../../../renderer/screens/inspection/grid-model.ts';

const [LENGTH, COLOUR, SURFACE] = [5, 6, 7];
const [ONE, TWO] = [20, 21];

const characteristics = characteristicsOf({
  characteristics: {
    [LENGTH]: { name: 'Length', dimensions: '40 mm', tolerance: '±0.5', order: 1 },
    [COLOUR]: { name: 'Colour', dimensions: '5', tolerance: '±1', is_optional: true, order: 2 },
    [SURFACE]: { name: 'Surface', dimensions: 'no cracks', order: 3 },
  },
});

/** Two samples, of which nothing is measured unless `stored` says so: by sample, then by characteristic. */
function rows(stored: Record<number, { serial?: string; length?: number; surface?: boolean }> = {}) {
  const samples = [ONE, TWO].map((id, index) => {
    const { serial, length, surface } = stored[id] ?? {};
    const results = {
      ...(length !== undefined && { [LENGTH]: { value: length, passed: length < 41 } }),
      ...(surface !== undefined && { [SURFACE]: { passed: surface } }),
    };
    return [id, { sample_number: index + 1, sample_serial: serial, results }];
  });
  return rowsOf(Object.fromEntries(samples), '.');
}

function storeWith(stored = rows()): CellStore {
  const store = createCellStore(characteristics);
  store.merge(1, stored);
  return store;
}

describe('what the station has', () => {
  it('is shown, saved, and judged by its limits alone', () => {
    const store = storeWith(rows({ [ONE]: { length: 50, serial: '007' }, [TWO]: { surface: false } }));
    expect(store.rows()).toEqual([
      { id: ONE, number: 1 },
      { id: TWO, number: 2 },
    ]);
    expect(store.get(ONE, LENGTH)).toMatchObject({ entry: { text: '50', passed: null }, verdict: 'high' });
    expect(store.get(ONE, SERIAL)).toMatchObject({ entry: { text: '007' }, verdict: 'empty' });
    expect(store.get(TWO, SURFACE)).toMatchObject({ entry: { passed: false }, verdict: 'fail' });
    expect(store.unsaved()).toEqual({});
  });

  it('replaces what nobody is typing over', () => {
    const store = storeWith(rows({ [ONE]: { length: 40 } }));
    store.merge(2, rows({ [ONE]: { length: 39.6 } }));
    expect(store.get(ONE, LENGTH)).toMatchObject({ entry: { text: '39.6' }, elsewhere: null });
    store.merge(3, rows());
    expect(store.get(ONE, LENGTH).entry).toEqual(emptyEntry);
  });

  it('does not replace what is being typed, and is said beside it', () => {
    const store = storeWith();
    store.type(ONE, LENGTH, { text: '40.4' });
    store.merge(2, rows({ [ONE]: { length: 39.6 } }));
    expect(store.get(ONE, LENGTH)).toMatchObject({
      entry: { text: '40.4' },
      saved: { text: '39.6' },
      elsewhere: { text: '39.6' },
    });
    // The next key does not hide it.
    store.type(ONE, LENGTH, { text: '40.41' });
    expect(store.get(ONE, LENGTH).elsewhere).toMatchObject({ text: '39.6' });
  });

  it('is what was typed, where somebody saved the same number', () => {
    const store = storeWith();
    store.type(ONE, LENGTH, { text: '40,0' });
    store.merge(2, rows({ [ONE]: { length: 40 } }));
    expect(store.get(ONE, LENGTH).elsewhere).toBeNull();
    expect(store.unsaved()).toEqual({});
  });

  it('says nothing where it is older than the last save', () => {
    const store = storeWith();
    store.type(ONE, LENGTH, { text: '40.2' });
    store.markSaved(ONE, store.changesOf(ONE), 3);
    store.merge(2, rows({ [ONE]: { length: 39 } }));
    expect(store.get(ONE, LENGTH)).toMatchObject({ entry: { text: '40.2' }, saved: { text: '40.2' } });
    store.merge(3, rows({ [ONE]: { length: 40.3 } }));
    expect(store.get(ONE, LENGTH).entry.text).toBe('40.3');
  });
});

describe('what is typed', () => {
  it('changes one part of a cell, and is unsaved until it is as it was', () => {
    const store = storeWith(rows({ [ONE]: { length: 40 } }));
    store.type(ONE, LENGTH, { comment: 'burr' });
    store.type(ONE, LENGTH, { text: '40.2' });
    expect(store.get(ONE, LENGTH).entry).toEqual({ text: '40.2', passed: null, comment: 'burr' });
    expect(Object.keys(store.unsaved())).toEqual([keyOf(ONE, LENGTH)]);
    store.type(ONE, LENGTH, { text: '40,00', comment: '' });
    expect(store.unsaved()).toEqual({});
  });

  it('into a serial number is compared as it is written', () => {
    const store = storeWith(rows({ [ONE]: { serial: '7' } }));
    store.type(ONE, SERIAL, { text: '007' });
    expect(store.changesOf(ONE)).toEqual([
      { characteristic: SERIAL, entry: { ...emptyEntry, text: '007' }, value: null, reason: null },
    ]);
    store.type(ONE, SERIAL, { text: ' 7 ' });
    expect(store.changesOf(ONE)).toEqual([]);
  });

  it('is to be written but for what is no number, which stays unsaved', () => {
    const store = storeWith(rows({ [ONE]: { length: 40 } }));
    store.type(ONE, LENGTH, { text: '' });
    store.type(ONE, COLOUR, { text: '4o' });
    store.type(ONE, SURFACE, { passed: true });
    store.type(TWO, LENGTH, { text: '40,2' });
    const changes = (sample: number) =>
      store
        .changesOf(sample)
        .map(({ characteristic, value, entry }) => [characteristic, value, entry.passed]);
    expect(changes(ONE)).toEqual([
      [LENGTH, null, null],
      [SURFACE, null, true],
    ]);
    expect(changes(TWO)).toEqual([[LENGTH, 40.2, null]]);
    expect(Object.keys(store.unsaved())).toContain(keyOf(ONE, COLOUR));
  });

  it('while it is being saved stays typed', () => {
    const store = storeWith();
    store.type(ONE, LENGTH, { text: '40.2' });
    const sent = store.changesOf(ONE);
    store.type(ONE, LENGTH, { text: '40.25' });
    store.markSaved(ONE, sent, 2);
    expect(store.get(ONE, LENGTH)).toMatchObject({ entry: { text: '40.25' }, saved: { text: '40.2' } });
    expect(store.changesOf(ONE)).toMatchObject([{ characteristic: LENGTH, value: 40.25 }]);
    store.markSaved(ONE, store.changesOf(ONE), 3);
    expect(store.unsaved()).toEqual({});
  });

  it('into a cell that the template does not have is nothing', () => {
    const store = storeWith();
    store.type(ONE, 99, { text: '1' });
    expect(store.get(ONE, 99).entry).toEqual(emptyEntry);
    expect(store.unsaved()).toEqual({});
  });

  it('goes back to what the station has', () => {
    const store = storeWith(rows({ [ONE]: { length: 40 } }));
    store.type(ONE, LENGTH, { text: '41' });
    store.type(TWO, SURFACE, { passed: true });
    store.merge(2, rows({ [ONE]: { length: 39.6 } }));
    store.revert();
    expect(store.get(ONE, LENGTH)).toMatchObject({ entry: { text: '39.6' }, elsewhere: null });
    expect(store.get(TWO, SURFACE).entry.passed).toBeNull();
    expect(store.unsaved()).toEqual({});
  });
});

describe('what was typed before a crash', () => {
  const typed = () => {
    const before = storeWith(rows({ [ONE]: { length: 40 } }));
    before.type(ONE, LENGTH, { text: '39.7' });
    before.type(TWO, LENGTH, { text: '4o' });
    before.type(TWO, SURFACE, { passed: true });
    // As a draft, it has been JSON.
    return JSON.parse(JSON.stringify(before.unsaved())) as ReturnType<CellStore['unsaved']>;
  };

  it('goes on, cell by cell, also what is no number', () => {
    const store = storeWith(rows({ [ONE]: { length: 40 } }));
    expect(store.restore(typed())).toBe(3);
    expect(store.get(ONE, LENGTH)).toMatchObject({ entry: { text: '39.7' }, elsewhere: null });
    expect(store.get(TWO, LENGTH)).toMatchObject({ entry: { text: '4o' }, verdict: 'unreadable' });
    expect(store.unsaved()).toEqual(typed());
  });

  it('does not count where it was saved after all, or its sample is gone', () => {
    const store = createCellStore(characteristics);
    store.merge(1, rows({ [ONE]: { length: 39.7 } }).slice(0, 1));
    expect(store.restore(typed())).toBe(0);
    expect(store.unsaved()).toEqual({});
  });

  it('stands beside what somebody saved meanwhile', () => {
    const store = storeWith(rows({ [ONE]: { length: 40.3 } }));
    store.restore(typed());
    expect(store.get(ONE, LENGTH)).toMatchObject({
      entry: { text: '39.7' },
      saved: { text: '40.3' },
      elsewhere: { text: '40.3' },
    });
  });
});

describe('the counts', () => {
  it('are of what must be measured; a sample fails by what is not optional', () => {
    const store = storeWith();
    expect(store.counts()).toEqual({
      missing: 4,
      outside: 0,
      unreadable: 0,
      unjudged: 0,
      failingSamples: 0,
      samples: 2,
    });
    store.type(ONE, LENGTH, { text: '50' });
    store.type(ONE, SURFACE, { passed: false });
    store.type(TWO, LENGTH, { text: '4o' });
    store.type(TWO, COLOUR, { text: '9' });
    store.type(TWO, SURFACE, { text: '3' });
    expect(store.counts()).toEqual({
      missing: 0,
      outside: 3,
      unreadable: 1,
      unjudged: 1,
      failingSamples: 1,
      samples: 2,
    });
  });
});

describe('whoever listens', () => {
  it('hears of one cell and of the counts, and of no other cell', () => {
    const store = storeWith();
    const heard: string[] = [];
    const topics = [keyOf(ONE, LENGTH), keyOf(TWO, LENGTH), 'counts', 'rows'];
    const ends = topics.map(topic => store.subscribe(topic)(() => heard.push(topic)));
    store.type(ONE, LENGTH, { text: '4' });
    expect(heard).toEqual([keyOf(ONE, LENGTH), 'counts']);
    for (const end of ends) end();
    store.type(ONE, LENGTH, { text: '40' });
    expect(heard).toHaveLength(2);
  });

  it('hears of rows only when there are more or fewer', () => {
    const store = storeWith();
    let times = 0;
    store.subscribe('rows')(() => {
      times += 1;
    });
    store.merge(2, rows({ [ONE]: { length: 40 } }));
    expect(times).toBe(0);
    store.merge(3, rows().slice(0, 1));
    expect(times).toBe(1);
    expect(store.counts().samples).toBe(1);
  });

  it('is told nothing by an answer that changes nothing', () => {
    const store = storeWith(rows({ [ONE]: { length: 40 } }));
    const before = store.get(ONE, LENGTH);
    store.merge(2, rows({ [ONE]: { length: 40 } }));
    expect(store.get(ONE, LENGTH)).toBe(before);
  });
});
