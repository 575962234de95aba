import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type CellChange, createCellStore } from '../../../../renderer/screens/inspection/cell-store.ts';
import { characteristicsOf, rowsOf } from '../../../../renderer/screens/inspection/grid-model.ts';
import { createRowSaver } from '../../../../renderer/screens/inspection/row-saver.ts';
import { AppError, invalid } from '../../../../shared/contract/errors.ts';

const LENGTH = 5;
const [ONE, TWO, THREE] = [20, 21, 22];

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** A saver of three samples, over a server that answers as it is told, each time once. */
function saving() {
  const store = createCellStore(
    characteristicsOf({
      characteristics: { [LENGTH]: { name: 'Length', dimensions: '40', tolerance: '±1' } },
    }),
  );
  const samples = Object.fromEntries([ONE, TWO, THREE].map((id, at) => [id, { sample_number: at + 1 }]));
  store.merge(1, rowsOf(samples, '.'));
  const sent: [sample: number, value: unknown][] = [];
  const answers: (() => Promise<number>)[] = [];
  let version = 1;
  const send = (sample: number, changes: CellChange[]): Promise<number> => {
    sent.push([sample, changes[0]?.value]);
    version += 1;
    return answers.shift()?.() ?? Promise.resolve(version);
  };
  const saver = createRowSaver({ store, send });
  const phases: string[] = [];
  saver.subscribe(() => phases.push(saver.state().phase));
  return {
    store,
    saver,
    sent,
    phases,
    answerWith: (...next: (() => Promise<number>)[]) => answers.push(...next),
    type(sample: number, text: string) {
      store.type(sample, LENGTH, { text });
      saver.typed(sample);
    },
  };
}

const away = () => Promise.reject(new AppError('unavailable', 'No answer.'));
const refusal = invalid({ value: ['No.'] });
const refused = () => Promise.reject(refusal);
const pass = (milliseconds: number) => vi.advanceTimersByTimeAsync(milliseconds);

describe('a row', () => {
  it('is saved soon after it is left, and says so', async () => {
    const { saver, sent, phases, type, store } = saving();
    type(ONE, '40.1');
    saver.left(ONE);
    await pass(249);
    expect(sent).toEqual([]);
    await pass(1);
    expect(sent).toEqual([[ONE, 40.1]]);
    expect(phases).toEqual(['typed', 'saving', 'saved']);
    expect(store.unsaved()).toEqual({});
    await pass(60_000);
    expect(sent).toHaveLength(1);
  });

  it('in which nobody types on is saved after a pause, with what was typed last', async () => {
    const { sent, type } = saving();
    type(ONE, '4');
    await pass(2_999);
    type(ONE, '40');
    await pass(2_999);
    expect(sent).toEqual([]);
    await pass(1);
    expect(sent).toEqual([[ONE, 40]]);
  });

  it('that is left without a change is not', async () => {
    const { saver, sent, type } = saving();
    saver.left(ONE);
    type(TWO, '40');
    type(TWO, '');
    await pass(60_000);
    expect(sent).toEqual([]);
    expect(saver.state()).toEqual({ phase: 'saved', failure: null });
  });

  it('is not saved where it holds no number, which is not called saved', async () => {
    const { saver, sent, type } = saving();
    type(ONE, '4o');
    saver.left(ONE);
    await pass(60_000);
    expect(sent).toEqual([]);
    expect(saver.state().phase).toBe('typed');
  });

  it('waits for the one before it; what is typed meanwhile follows', async () => {
    const { saver, sent, type, answerWith } = saving();
    const first = Promise.withResolvers<number>();
    answerWith(() => first.promise);
    type(ONE, '40.1');
    saver.left(ONE);
    await pass(250);
    type(TWO, '40.2');
    saver.left(TWO);
    type(ONE, '40.3');
    saver.left(ONE);
    await pass(60_000);
    expect(sent).toEqual([[ONE, 40.1]]);
    expect(saver.state().phase).toBe('saving');
    first.resolve(2);
    await pass(0);
    expect(sent).toEqual([
      [ONE, 40.1],
      [TWO, 40.2],
      [ONE, 40.3],
    ]);
    expect(saver.state().phase).toBe('saved');
  });
});

describe('a server that is away', () => {
  it('is tried again until it answers, and nobody has to do anything', async () => {
    const { saver, sent, phases, type, answerWith } = saving();
    answerWith(away, away);
    type(ONE, '40.1');
    saver.left(ONE);
    await pass(250);
    expect(saver.state().phase).toBe('away');
    await pass(2_000);
    await pass(1_999);
    expect(sent).toHaveLength(2);
    await pass(1);
    expect(sent).toHaveLength(3);
    expect(phases).toEqual(['typed', 'saving', 'away', 'saving', 'away', 'saving', 'saved']);
  });

  it('gets what is typed by then', async () => {
    const { sent, type, answerWith } = saving();
    answerWith(away);
    type(ONE, '40.1');
    await pass(3_000);
    type(ONE, '40.2');
    await pass(2_000);
    expect(sent).toEqual([
      [ONE, 40.1],
      [ONE, 40.2],
    ]);
  });
});

describe('what the server refuses', () => {
  it('stays typed, is said, and is not tried again by itself', async () => {
    const { saver, sent, store, type, answerWith } = saving();
    answerWith(refused);
    type(ONE, '40.1');
    await pass(60_000);
    expect(sent).toHaveLength(1);
    expect(saver.state()).toEqual({ phase: 'failed', failure: refusal });
    expect(store.get(ONE, LENGTH).entry.text).toBe('40.1');
    expect(Object.keys(store.unsaved())).toHaveLength(1);
  });

  it('is not sent again because its row is left again', async () => {
    const { saver, sent, type, answerWith } = saving();
    answerWith(refused);
    type(ONE, '40.1');
    saver.left(ONE);
    await pass(60_000);
    saver.left(ONE);
    await pass(60_000);
    expect(sent).toHaveLength(1);
    expect(saver.state().phase).toBe('failed');
  });

  it('does not hold up the other rows, after which all is still not saved', async () => {
    const { saver, sent, type, answerWith } = saving();
    answerWith(refused);
    type(ONE, '40.1');
    await pass(3_000);
    type(TWO, '40.2');
    await pass(3_000);
    expect(sent).toEqual([
      [ONE, 40.1],
      [TWO, 40.2],
    ]);
    expect(saver.state().phase).toBe('typed');
    type(ONE, '40.3');
    await pass(3_000);
    expect(saver.state().phase).toBe('saved');
  });
});

describe('saving everything at once', () => {
  it('writes each row that has changed, in its order, without waiting for its pause', async () => {
    const { saver, sent, type } = saving();
    type(THREE, '40.3');
    type(ONE, '40.1');
    await saver.flush();
    expect(sent).toEqual([
      [ONE, 40.1],
      [THREE, 40.3],
    ]);
    expect(saver.state().phase).toBe('saved');
    await pass(60_000);
    expect(sent).toHaveLength(2);
  });

  it('is refused with what the server said', async () => {
    const { saver, type, answerWith } = saving();
    answerWith(refused);
    type(ONE, '40.1');
    type(TWO, '40.2');
    await expect(saver.flush()).rejects.toBe(refusal);
  });
});

describe('a screen that is left', () => {
  it('sends what is due at once', async () => {
    const { saver, sent, type } = saving();
    type(ONE, '40.1');
    type(TWO, '40.2');
    saver.stop();
    await pass(0);
    expect(sent).toEqual([
      [ONE, 40.1],
      [TWO, 40.2],
    ]);
  });

  it('does not try for ever', async () => {
    const { saver, sent, type, answerWith } = saving();
    answerWith(away, away, away);
    type(ONE, '40.1');
    saver.stop();
    await pass(60_000);
    expect(sent).toHaveLength(1);
  });
});

it('tells nobody who has stopped listening', async () => {
  const { saver, type } = saving();
  let times = 0;
  const end = saver.subscribe(() => {
    times += 1;
  });
  type(ONE, '40');
  end();
  await pass(60_000);
  expect(times).toBe(1);
});

describe('a corrected value', () => {
  /** Saved values are corrected with a reason, as the record's rules want it. */
  function correcting() {
    const store = createCellStore(
      characteristicsOf({
        characteristics: {
          [LENGTH]: { name: 'Length', dimensions: '40', tolerance: '±1' },
          6: { name: 'Width', dimensions: '10', tolerance: '±1' },
        },
      }),
      saved => saved.text !== '',
    );
    const results = { [LENGTH]: { value: 40 } };
    store.merge(1, rowsOf({ [ONE]: { sample_number: 1, results } }, '.'));
    const sent: { characteristics: number[]; reason: string | null }[] = [];
    const answers: (() => Promise<number>)[] = [];
    const send = (_: number, changes: CellChange[], reason: string | null): Promise<number> => {
      sent.push({ characteristics: changes.map(({ characteristic }) => characteristic), reason });
      return answers.shift()?.() ?? Promise.resolve(sent.length + 1);
    };
    return { store, sent, answers, saver: createRowSaver({ store, send }) };
  }

  it('is not sent before somebody has said why; what needs no reason is', async () => {
    const { store, sent, saver } = correcting();
    store.type(ONE, LENGTH, { text: '40.5' });
    store.type(ONE, 6, { text: '10' });
    await saver.flush();
    expect(sent).toEqual([{ characteristics: [6], reason: null }]);
    expect(saver.state().phase).toBe('due');
    expect(store.due()).toMatchObject([{ number: 1, name: 'Length', from: '40', to: '40.5' }]);
    store.giveReason('Misread');
    await saver.flush();
    expect(sent[1]).toEqual({ characteristics: [LENGTH], reason: 'Misread' });
    expect(saver.state().phase).toBe('saved');
    expect(store.due()).toEqual([]);
  });

  it('needs no reason any more where the saved value is typed again', () => {
    const { store } = correcting();
    store.type(ONE, LENGTH, { text: '40.5' });
    expect(store.due()).toHaveLength(1);
    store.type(ONE, LENGTH, { text: '40.0' });
    expect(store.due()).toEqual([]);
  });

  it('stays typed and waits for its reason when only the server knows that it is one', async () => {
    const { store, sent, answers, saver } = correcting();
    answers.push(() => Promise.reject(invalid({ reason: ['Say why.'] })));
    store.type(ONE, 6, { text: '10.1' });
    await saver.flush();
    expect(saver.state().phase).toBe('due');
    expect(store.due()).toMatchObject([{ name: 'Width', isDemanded: true }]);
    store.giveReason('Gauge was off');
    await saver.flush();
    expect(sent.at(-1)).toEqual({ characteristics: [6], reason: 'Gauge was off' });
    expect(saver.state().phase).toBe('saved');
  });
});
