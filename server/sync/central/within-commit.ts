import { sameJson } from '../../../shared/contract/canonical-json.ts';
import { characteristicsOf, limitsOf } from '../../../shared/families/measured.ts';
import { LOT_NAMED_BY } from '../../../shared/families/receiving-inspection.ts';
import { mapOf } from '../../store/changes.ts';
import { isUnmeasured } from './follows-by-rule.ts';
import { newIn, type Pushed } from './pushed.ts';

/*
 * What the write gate adds to what somebody asked for within the same commit, where the value that was asked for is judged
 * itself: held, it would hold honest work.
 */

/**
 * Whether a lot is renamed as the line that feeds it is corrected in the same commit. No number is left by it that a
 * laboratory found bad: the gate refuses that (interface decisions, 5.2).
 */
export function isRenamedByLine({ entry, commit, read, authors }: Pushed): boolean {
  if (!entry.subject.startsWith('inventory:')) return false;
  const lot = Number(entry.subject.slice('inventory:'.length));
  const renamed = entry.changes.filter(({ path }) => path !== 'cost' && path !== 'cost_unit');
  if (renamed.some(({ path }) => path === 'batch_number') && authors.isNumberLocked(lot)) return false;
  return commit.entries.some(receipt => {
    const { subject, changes } = receipt;
    if (!subject.startsWith('receiving-inspection:')) return false;
    const lines = new Set(changes.flatMap(({ path }) => /^items\.\d+/.exec(path) ?? []));
    return [...lines].some(line => {
      const said = (name: string) => {
        const change = changes.find(({ path }) => path === `${line}.${name}`);
        return (change ? change.new : read.value(subject, `${line}.${name}`)) ?? null;
      };
      const isCorrected = (name: string) => changes.some(({ path }) => path === `${line}.${name}`);
      if (said('inventory_id') !== lot) return false;
      return renamed.every(({ path, new: value }) => {
        const name = LOT_NAMED_BY[path];
        if (name === undefined) return false;
        const plain = said(name);
        if (path === 'lot_unit' && plain === null)
          return isCorrected('part_id') && sameJson(value ?? null, unitOf(said('part_id'), read));
        const wanted = path === 'batch_number' && typeof plain === 'string' ? plain.trim() || null : plain;
        return isCorrected(name) && sameJson(value ?? null, wanted);
      });
    });
  });
}

function unitOf(part: unknown, read: Pushed['read']): unknown {
  return read.value(`part:${part}`, 'unit_of_measure') ?? null;
}

/** Whether a result is taken away by another template of an inspection of which nothing is measured. */
export function isExchangedResult({ entry, read }: Pick<Pushed, 'entry' | 'read'>, path: string): boolean {
  const isResult = /^samples\.\d+\.results\.\d+\.is_removed$/.test(path);
  return isResult && entry.changes.some(one => one.path === 'template') && isUnmeasured(entry, read);
}

/** Whether the verdict of a result follows from its limits: the value that the commit gives it is what is corrected. */
export function isOfLimits({ entry, read }: Pick<Pushed, 'entry' | 'read'>, path: string): boolean {
  const [, id = ''] = /^samples\.\d+\.results\.(\d+)\.passed$/.exec(path) ?? [];
  const value = path.replace(/passed$/, 'value');
  if (id === '' || !entry.changes.some(one => one.path === value)) return false;
  const template = newIn(entry, 'template') ?? read.value(entry.subject, 'template');
  const characteristic = characteristicsOf(mapOf(template)).find(one => String(one.id) === id);
  return characteristic !== undefined && limitsOf(characteristic) !== null;
}
