import { describe, expect, it } from 'vitest';
import { createWedge, type KeyStroke, type WedgeOptions } from '../../../shared/scanner/wedge.ts';
import fc from '../../support/fast-check.ts';

const GS = '\u001d';

interface Played {
  scans: string[];
  /** What a focused field holds in the end: what was let through, less what was taken back, plus what was given back. */
  field: string;
  /** Keys such as Enter that reached the page. */
  named: string[];
}

/**
 * Plays strokes as the window's listener does: outcome first, then the key's own effect, and timers in between.
 * @param isLate before which keys a busy machine lets the timer run, although they were pressed before its time
 */
function play(
  strokes: readonly KeyStroke[],
  options: Partial<WedgeOptions> = {},
  isLate: (index: number) => boolean = () => false,
): Played {
  const wedge = createWedge(options);
  const played: Played = { scans: [], field: '', named: [] };
  /** As the test of what is cut off wants it. */
  const told = options.alwaysEnds === true;
  const settle = ({ scan, takeBack, giveBack, isCut, retracts }: ReturnType<typeof wedge.pause>): void => {
    if (retracts) played.scans.pop();
    expect(takeBack).toBeLessThanOrEqual(played.field.length);
    played.field = played.field.slice(0, played.field.length - takeBack) + giveBack;
    if (scan !== null) played.scans.push(told && isCut ? `${scan} …` : scan);
  };
  for (const [index, stroke] of strokes.entries()) {
    const due = wedge.dueAt();
    if (due !== null && (due < stroke.at || isLate(index))) settle(wedge.pause());
    const outcome = wedge.key(stroke);
    settle(outcome);
    const isText = stroke.key.length === 1 && !stroke.isMeta && stroke.isCtrl === stroke.isAlt;
    if (outcome.isPassed && isText && stroke.key !== GS) played.field += stroke.key;
    else if (outcome.isPassed && !isText) played.named.push(stroke.key);
  }
  const due = wedge.dueAt();
  if (due !== null) settle(wedge.pause());
  expect(wedge.dueAt()).toBeNull();
  return played;
}

/** Keys at an even gap; what stands in `<>` is one key by its name, `<GS>` is Ctrl+]. */
function keys(text: string, { from = 0, gap = 10 }: { from?: number; gap?: number } = {}): KeyStroke[] {
  return (text.match(/<\w+>|./g) ?? []).map((token, index) => {
    const at = from + index * gap;
    if (token === '<GS>') return { key: ']', code: 'BracketRight', isCtrl: true, at };
    const key = token.length > 2 && token.startsWith('<') ? token.slice(1, -1) : token;
    return { key, at };
  });
}

describe('a scan', () => {
  it.each([
    ['with Enter', 'HB-8<Enter>', ['HB-8']],
    ['with Tab', 'HB-8<Tab>', ['HB-8']],
    ['of the shortest length', 'ABC<Enter>', ['ABC']],
    ['with the shift key for capitals', '<Shift>H<Shift>B-8<CapsLock><Enter>', ['HB-8']],
    ['with CR and LF', 'HB-8<Enter><Enter>', ['HB-8']],
    ['with Enter and Tab', 'HB-8<Enter><Tab>', ['HB-8']],
    ['with FNC1 as Ctrl+]', ']C10109<GS>10AB<Enter>', [`]C10109${GS}10AB`]],
    ['that begins with FNC1', '<GS>0109<GS>10AB<Enter>', [`${GS}0109${GS}10AB`]],
    ['with FNC1 as character 29', `0109${GS}10AB<Enter>`, [`0109${GS}10AB`]],
    ['with FNC1 as F8', '0109<F8>10AB<Enter>', [`0109${GS}10AB`]],
    ['two back to back', 'HB-8<Enter>HB-9<Enter>', ['HB-8', 'HB-9']],
    ['a short one right after another', 'HB-8<Enter>A12<Tab>B12<Enter>', ['HB-8', 'A12', 'B12']],
    [
      'five back to back',
      '111<Enter>222<Enter>333<Enter>444<Enter>555<Enter>',
      ['111', '222', '333', '444', '555'],
    ],
  ])('%s', (_name, text, scans) => {
    for (const gap of [1, 5, 20, 35]) {
      expect(play(keys(text, { gap }))).toMatchObject({ scans, field: '' });
    }
  });

  it('keeps its ending from the page', () => {
    expect(play(keys('HB-8<Enter>')).named).toEqual([]);
    expect(play(keys('HB-8<Tab>')).named).toEqual([]);
  });

  it('right after another keeps even its first key from the page', () => {
    const wedge = createWedge();
    const outcomes = keys('HB-8<Enter>B9<Enter>C').map(stroke => wedge.key(stroke).isPassed);
    expect(outcomes).toEqual([true, true, false, false, false, false, false, true, true]);
  });

  it('of 500 characters', () => {
    const text = Array.from({ length: 500 }, (_, index) => 'ABCDEFGHJ-'[index % 10]).join('');
    for (const gap of [1, 8, 30]) {
      expect(play([...keys(text, { gap }), { key: 'Enter', at: 500 * gap }])).toEqual({
        scans: [text],
        field: '',
        named: [],
      });
    }
  });

  it('without an ending key ends with a pause', () => {
    const strokes = [...keys('HB-8-A1'), ...keys('HB-8-A2', { from: 400 })];
    expect(play(strokes)).toEqual({ scans: ['HB-8-A1', 'HB-8-A2'], field: '', named: [] });
  });

  it('that ends with a pause is complete with the next key, should the timer come late', () => {
    const wedge = createWedge();
    for (const stroke of keys('HB-8-A1')) wedge.key(stroke);
    expect(wedge.key({ key: 'x', at: 400 })).toEqual({
      isPassed: true,
      scan: 'HB-8-A1',
      takeBack: 2,
      giveBack: '',
      isCut: false,
    });
  });

  it('survives a scanner that stutters', () => {
    const strokes = keys('HB-8-1234567890', { gap: 5 }).map(stroke => ({
      ...stroke,
      at: stroke.at + (stroke.at >= 40 ? 80 : 0),
    }));
    expect(play([...strokes, { key: 'Enter', at: 230 }])).toMatchObject({
      scans: ['HB-8-1234567890'],
      field: '',
    });
  });

  it.each([120, 200, 300])('is one scan with a gap of %i ms after any key from the sixth on', long => {
    const text = `]C10109506000134352${GS}10LOT-A`;
    for (let after = 6; after < text.length; after++) {
      const strokes = [...text].map((key, index) => ({ key, at: index * 5 + (index >= after ? long : 0) }));
      const end = { key: 'Enter', at: text.length * 5 + 2 * long };
      expect(play([...strokes, end])).toEqual({ scans: [text], field: '', named: [] });
    }
  });

  it('is one scan at any pace where nothing is typed into', () => {
    for (const gap of [1, 40, 150, 300]) {
      const played = play(keys('1<Enter>HB-8-12<Enter>HB-9<Enter>', { gap }), { holdsAll: () => true });
      expect(played.scans).toEqual(['HB-8-12', 'HB-9']);
    }
  });

  it('is one scan at any pace with its prefix', () => {
    for (const gap of [1, 40, 150, 300, 900]) {
      const played = play(keys('<F9>HB-8<Enter><F9>7<Enter>', { gap }), { prefixes: ['F9'] });
      expect(played).toEqual({ scans: ['HB-8', '7'], field: '', named: [] });
    }
  });

  it('that breaks off is told from a whole one, where the scanner always sends an end', () => {
    const options = { alwaysEnds: true, minimumPauseLength: null };
    expect(play(keys('HB-8-A'), options).scans).toEqual(['HB-8-A …']);
    expect(play(keys('<F9>HB8'), { ...options, prefixes: ['F9'] }).scans).toEqual(['HB8 …']);
    expect(play(keys('HB-8-A<Enter>'), options).scans).toEqual(['HB-8-A']);
    expect(play(keys('HB'), options)).toMatchObject({ scans: [], field: 'HB' });
  });

  it('comes with the keys of AltGr as characters', () => {
    const strokes = keys('A{B<Enter>').map(stroke =>
      stroke.key === '{' ? { ...stroke, isCtrl: true, isAlt: true } : stroke,
    );
    expect(play(strokes).scans).toEqual(['A{B']);
  });

  it.each(['29', '029', '0029'])('has FNC1 as Alt with %s on the number pad', code => {
    const digits = [...code].map((digit, index) => ({
      key: digit,
      code: `Numpad${digit}`,
      isAlt: true,
      at: 80 + index * 5,
    }));
    const strokes = [
      ...keys(']C10109506', { gap: 5 }),
      { key: 'Alt', at: 75, isAlt: true },
      ...digits,
      ...keys('10AB<Enter>', { from: 105, gap: 5 }),
    ];
    expect(play(strokes).scans).toEqual([`]C10109506${GS}10AB`]);
  });

  it('has its prefix and suffix taken off', () => {
    const options = { prefixes: ['F9', '~'], suffixes: ['#'], endings: [] };
    expect(play(keys('<F9>HB-8#'), options)).toEqual({ scans: ['HB-8'], field: '', named: [] });
    expect(play(keys('~7#~8#'), options)).toEqual({ scans: ['7', '8'], field: '', named: [] });
    expect(play(keys('<F9>HB-8#', { gap: 30 }), options).scans).toEqual(['HB-8']);
  });
});

it.each([
  ['4', 0, '0.17<Enter>', true],
  ['4<Enter>', 0, '0.17<Enter>', false],
  ['4<ArrowUp>', 0, '0.17<Enter>', false],
  ['4', 400, '0.17<Enter>', false],
  ['', 0, '40.17<Enter>', false],
])('after %s, and %d ms more, the scan %s is continued: %s', (before, ms, code, isContinued) => {
  const wedge = createWedge();
  const first = keys(before, { gap: 60 });
  const from = (first.at(-1)?.at ?? 0) + 60 + ms;
  const outcomes = [...first, ...keys(code, { from })].map(stroke => {
    const due = wedge.dueAt();
    if (due !== null && due < stroke.at) wedge.pause();
    return wedge.key(stroke);
  });
  expect(outcomes.at(-1)?.scan).toBe(code.replace('<Enter>', ''));
  expect(outcomes.at(-1)?.isContinued === true).toBe(isContinued);
});

describe('while somebody types', () => {
  it.each([
    ['slowly', 'Harbour Fasteners<Enter>', 120],
    ['fast', 'Harbour Fasteners<Enter>', 60],
    ['as fast as anybody', 'Harbour Fasteners<Tab>', 40],
    ['two keys at once', 'ab<Enter>', 5],
  ])('%s, every key goes through', (_name, text, gap) => {
    const played = play(keys(text, { gap }));
    expect(played.scans).toEqual([]);
    expect(played.field).toBe(text.replace(/<\w+>/, ''));
    expect(played.named).toHaveLength(1);
  });

  it('a few keys in one roll come a little later, in order', () => {
    const strokes = [
      ...keys('the', { gap: 20 }),
      ...keys(' quick', { from: 150, gap: 90 }),
      ...keys('ing', { from: 800, gap: 20 }),
      { key: 'Enter', at: 1000 },
    ];
    expect(play(strokes)).toEqual({ scans: [], field: 'the quicking', named: ['Enter'] });
  });

  it('a roll that goes on at typing speed is no scan', () => {
    const strokes = [...keys('the', { gap: 20 }), ...keys('refore it goes on', { from: 130, gap: 90 })];
    expect(play(strokes)).toEqual({ scans: [], field: 'therefore it goes on', named: [] });
  });

  it('a key held down is no scan', () => {
    const strokes = keys('a'.repeat(40), { gap: 33 }).map((stroke, index) => ({
      ...stroke,
      isRepeat: index > 0,
    }));
    expect(play([...strokes, { key: 'Enter', at: 1330 }])).toEqual({
      scans: [],
      field: 'a'.repeat(40),
      named: ['Enter'],
    });
  });

  it('shortcuts and arrows go through', () => {
    const strokes = [
      { key: 'k', isCtrl: true, at: 0 },
      { key: 'ArrowDown', at: 10 },
      { key: 'ArrowDown', at: 20 },
      { key: 'Escape', at: 30 },
      { key: 'c', isMeta: true, at: 40 },
      { key: 'x', isAlt: true, at: 50 },
    ];
    expect(play(strokes).named).toEqual(['k', 'ArrowDown', 'ArrowDown', 'Escape', 'c', 'x']);
  });

  it('a key by itself is one, where nothing is typed into, and the space bar presses what has the focus', () => {
    const options = { holdsAll: () => true };
    const strokes = [...keys('1'), ...keys('n', { from: 500 }), { key: ' ', at: 1_000 }];
    expect(play(strokes, options)).toEqual({ scans: [], field: '1n ', named: [] });
    expect(play(keys('<Enter>'), options).named).toEqual(['Enter']);
  });

  it('a prefix that was typed is given back', () => {
    expect(play(keys('~', {}), { prefixes: ['~'] })).toEqual({ scans: [], field: '~', named: [] });
    expect(play(keys('~ab', { gap: 300 }), { prefixes: ['~'] }).field).toBe('~ab');
  });

  it('a scan in the middle takes its own keys back out of the field', () => {
    const strokes = [
      ...keys('Harb', { gap: 150 }),
      ...keys('HB-8<Enter>', { from: 700, gap: 5 }),
      ...keys('our', { from: 1000, gap: 150 }),
    ];
    expect(play(strokes)).toEqual({ scans: ['HB-8'], field: 'Harbour', named: [] });
  });

  it('nothing ends with a pause where that is switched off', () => {
    const strokes = [...keys('HB-8-A1'), ...keys('x', { from: 500 })];
    expect(play(strokes, { minimumPauseLength: null })).toEqual({ scans: [], field: 'HB-8-A1x', named: [] });
  });
});

it('loses no character, whatever the mixture', () => {
  const scan = fc.record({
    kind: fc.constant('scan' as const),
    text: fc.stringMatching(/^[A-Z0-9-]{3,60}$/),
    gap: fc.integer({ min: 1, max: 30 }),
    rest: fc.integer({ min: 1, max: 400 }),
  });
  const typed = fc.record({
    kind: fc.constant('typed' as const),
    text: fc.stringMatching(/^[a-z]{1,12}$/),
    gap: fc.integer({ min: 45, max: 300 }),
    rest: fc.integer({ min: 200, max: 400 }),
  });
  fc.assert(
    fc.property(fc.array(fc.oneof(scan, typed), { maxLength: 12 }), parts => {
      const strokes: KeyStroke[] = [];
      let at = 1000;
      for (const { kind, text, gap, rest } of parts) {
        // Nobody types in the very moment after a scan.
        if (kind === 'typed') at += 200;
        strokes.push(...keys(kind === 'scan' ? `${text}<Enter>` : text, { from: at, gap }));
        at = (strokes.at(-1)?.at ?? at) + rest;
      }
      expect(play(strokes)).toEqual({
        scans: parts.filter(({ kind }) => kind === 'scan').map(({ text }) => text),
        field: parts
          .filter(({ kind }) => kind === 'typed')
          .map(({ text }) => text)
          .join(''),
        named: [],
      });
    }),
  );
});

describe('on a busy machine', () => {
  it('a scan whose further keys come late goes on', () => {
    const text = '4006381333931';
    for (let late = 1; late <= text.length; late++) {
      for (const holdsAll of [() => true, () => false]) {
        const played = play(keys(`${text}<Enter>`, { gap: 4 }), { holdsAll }, index => index === late);
        expect(played, `late ${late}`).toEqual({ scans: [text], field: '', named: [] });
      }
    }
  });

  it('what came late is another scan where the scanner made a pause', () => {
    const strokes = [...keys('HB-8-A1'), ...keys('HB-8-A2', { from: 500 })];
    expect(play(strokes, {}, () => true).scans).toEqual(['HB-8-A1', 'HB-8-A2']);
  });

  it('FNC1 as Alt with 0029 is whole', () => {
    const digits = [...'0029'].map((digit, index) => ({
      key: digit,
      code: `Numpad${digit}`,
      isAlt: true,
      at: 80 + index * 5,
    }));
    const strokes = [
      ...keys(']C10109506', { gap: 5 }),
      { key: 'Alt', at: 75, isAlt: true },
      ...digits,
      ...keys('10AB<Enter>', { from: 105, gap: 5 }),
    ];
    for (let late = 3; late < strokes.length; late++)
      expect(play(strokes, {}, index => index === late).scans, `late ${late}`).toEqual([
        `]C10109506${GS}10AB`,
      ]);
  });
});

it('loses no character, whatever the mixture, however late keys come', () => {
  const scan = fc.record({
    kind: fc.constant('scan' as const),
    text: fc.stringMatching(/^[A-Z0-9-]{6,40}$/),
    // A stutter of a scanner, once it can be told from a person.
    gaps: fc.array(fc.integer({ min: 1, max: 30 }), { minLength: 41, maxLength: 41 }),
    stutter: fc.record({ after: fc.integer({ min: 6, max: 40 }), ms: fc.integer({ min: 1, max: 300 }) }),
    rest: fc.integer({ min: 40, max: 400 }),
  });
  const typed = fc.record({
    kind: fc.constant('typed' as const),
    text: fc.stringMatching(/^[a-z]{1,12}$/),
    gap: fc.integer({ min: 45, max: 300 }),
    rest: fc.integer({ min: 200, max: 400 }),
  });
  const latenesses = fc.array(fc.boolean(), { minLength: 1, maxLength: 97 });
  fc.assert(
    fc.property(fc.array(fc.oneof(scan, typed), { maxLength: 12 }), latenesses, (parts, late) => {
      const strokes: KeyStroke[] = [];
      let at = 1000;
      for (const part of parts) {
        if (part.kind === 'typed') {
          at += 200;
          strokes.push(...keys(part.text, { from: at, gap: part.gap }));
        } else {
          for (const [index, key] of [...part.text, 'Enter'].entries()) {
            strokes.push({ key, at });
            at += Math.max(part.gaps[index] ?? 1, index === part.stutter.after ? part.stutter.ms : 0);
          }
        }
        at = (strokes.at(-1)?.at ?? at) + part.rest;
      }
      expect(play(strokes, {}, index => late[index % late.length] ?? false)).toEqual({
        scans: parts.filter(({ kind }) => kind === 'scan').map(({ text }) => text),
        field: parts
          .filter(({ kind }) => kind === 'typed')
          .map(({ text }) => text)
          .join(''),
        named: [],
      });
    }),
    { numRuns: 500 },
  );
});
