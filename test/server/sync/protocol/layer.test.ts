import { describe, expect, it } from 'vitest';
import type { Decision, SubjectEffects } from '../../../../server/sync/protocol/decide.ts';
import { Layer } from '../../../../server/sync/protocol/layer.ts';
import type { RecordReader } from '../../../../server/sync/protocol/siblings.ts';

/** What is decided: one part that `c` created, with an item, and `w` that was withdrawn. */
const below: RecordReader = {
  creator: subject => (subject === 'part:1' ? 'c' : undefined),
  siblings: (subject, path) =>
    subject === 'part:1' && path === 'name' ? [{ commit: 'b', value: 'below' }] : undefined,
  value: (subject, path) =>
    subject === 'part:1' ? { name: 'below', 'items.7.quantity': 5 }[path] : undefined,
  isWithdrawn: commit => commit === 'w',
};

function applied(commit_id: string, ...effects: SubjectEffects[]): Decision {
  return { commit_id, outcome: 'applied', reason: null, effects };
}

function layerWith(...decisions: Decision[]): Layer {
  const layer = new Layer(below);
  for (const decision of decisions) layer.put(decision);
  return layer;
}

describe('a layer of decisions', () => {
  it('shows what is below where none of them says anything', () => {
    const layer = layerWith(
      applied('a', { subject: 'part:1', isNew: false, paths: [{ path: 'notes', value: 'N' }] }),
    );
    expect(layer.creator('part:1')).toBe('c');
    expect(layer.creator('part:2')).toBeUndefined();
    expect(layer.value('part:1', 'name')).toBe('below');
    expect(layer.value('part:1', 'items.7.quantity')).toBe(5);
    expect(layer.siblings('part:1', 'name')).toEqual([{ commit: 'b', value: 'below' }]);
    expect(layer.siblings('part:1', 'notes')).toEqual([{ commit: 'a', value: 'N' }]);
  });

  it('shows the last word on a path, with all that stand beside it', () => {
    const siblings = [
      { commit: 'a2', value: null },
      { commit: 'b', value: 'below' },
    ];
    const layer = layerWith(
      applied('a', { subject: 'part:1', isNew: false, paths: [{ path: 'name', value: 'A' }] }),
      applied('a2', { subject: 'part:1', isNew: false, paths: [{ path: 'name', value: null, siblings }] }),
    );
    // Cleared: what is below does not show through.
    expect(layer.value('part:1', 'name')).toBeNull();
    expect(layer.siblings('part:1', 'name')).toEqual(siblings);
  });

  it('has the records that it begins, by their creator', () => {
    const layer = layerWith(
      applied('a', { subject: 'part:2', isNew: true, paths: [{ path: 'name', value: 'Two' }] }),
      applied('a2', { subject: 'part:2', isNew: false, paths: [{ path: 'name', value: 'Second' }] }),
    );
    expect(layer.creator('part:2')).toBe('a');
    expect(layer.value('part:2', 'name')).toBe('Second');
    expect(layer.value('part:2', 'notes')).toBeUndefined();
  });

  it('shows the fields of an item that was added, and of what it holds', () => {
    const added = { quantity: 2, results: { 3: { value: 'ok' } } };
    const layer = layerWith(
      applied('a', { subject: 'part:1', isNew: false, paths: [{ path: 'items.8', value: added }] }),
      applied('a2', {
        subject: 'part:1',
        isNew: false,
        paths: [{ path: 'items.8.results.4', value: { value: 'bad' } }],
      }),
    );
    expect(layer.value('part:1', 'items.8')).toEqual(added);
    expect(layer.value('part:1', 'items.8.quantity')).toBe(2);
    expect(layer.value('part:1', 'items.8.note')).toBeUndefined();
    expect(layer.value('part:1', 'items.8.results.3.value')).toBe('ok');
    expect(layer.value('part:1', 'items.8.results.4.value')).toBe('bad');
    expect(layer.value('part:1', 'items.7.quantity')).toBe(5);
  });

  it('knows what was withdrawn, below and here', () => {
    const layer = new Layer(below);
    expect([layer.isWithdrawn('w'), layer.isWithdrawn('x')]).toEqual([true, false]);
    layer.withdraw('x');
    expect([layer.isWithdrawn('w'), layer.isWithdrawn('x')]).toEqual([true, true]);
  });

  it('names the records and paths that it touches, and no others', () => {
    const layer = layerWith(
      applied('a', { subject: 'part:2', isNew: true, paths: [{ path: 'name', value: 'Two' }] }),
      applied('a2', { subject: 'part:1', isNew: false, paths: [{ path: 'notes', value: 'N' }] }),
      applied('a3'),
    );
    expect(layer.touched()).toEqual([
      { subject: 'part:2', creator: 'a', paths: new Map([['name', [{ commit: 'a', value: 'Two' }]]]) },
      { subject: 'part:1', creator: undefined, paths: new Map([['notes', [{ commit: 'a2', value: 'N' }]]]) },
    ]);
  });
});
