import type { Family } from '../../../shared/contract/define-family.ts';
import { isSameNumber } from '../../../shared/contract/typed-number.ts';
import type { LotLock } from '../../../shared/families/lot-locks.ts';
import { isLeftWithoutNumber } from '../../../shared/families/lot-number.ts';
import { LOT_NAMING } from '../../../shared/families/receiving-inspection.ts';
import { familyOfKey } from '../../../shared/families/registry.ts';
import { lotFactsOf } from '../../rules/lot-facts.ts';
import type { Fields } from '../../store/changes.ts';
import type { RecordReader } from '../protocol/siblings.ts';
import { isSomebodysWord } from './awaiting.ts';
import { followsByRule } from './follows-by-rule.ts';
import { newIn, type Pushed } from './pushed.ts';
import { isRenamedByLine } from './within-commit.ts';

/** Opening stock keeps a number: without one nothing that is said of a number reaches it. What a line says renames its lot. */
export function numberFault(pushed: Pushed): string | undefined {
  const { entry, commit, read, isNew } = pushed;
  if (isNew || !entry.changes.some(({ path }) => path === 'batch_number')) return undefined;
  const { before, after } = pushed.states();
  if (!isLeftWithoutNumber(before.batch_number ?? null, after.batch_number)) return undefined;
  return followsByRule(entry, commit, read) || isRenamedByLine(pushed)
    ? undefined
    : 'batch_number is missing. A lot keeps a number.';
}

/** Locked goods are opened anew under no other expiry or unit of the same number. */
export function openedFault(pushed: Pushed): string | undefined {
  const { entry, commit, read, authors } = pushed;
  if (!entry.changes.some(({ path }) => path === 'part_id' || path === 'batch_number')) return undefined;
  const { before, after } = pushed.states();
  const { part_id: part, batch_number: batch } = after;
  const isNamed = before.part_id === part && isSameNumber(before.batch_number, batch);
  if (typeof batch !== 'string' || isNamed) return undefined;
  if (followsByRule(entry, commit, read) || isRenamedByLine(pushed)) return undefined;
  const lot = Number(entry.subject.slice('inventory:'.length));
  const locked = authors
    .lotsOfNumber(batch, part)
    .find(other => other !== lot && standingLocks(pushed, other).length > 0);
  return locked === undefined
    ? undefined
    : `batch_number ${batch} is that of the locked lot record ${locked}.`;
}

/** A line feeds the lot that it names, and leaves a lot that is held by quality's word only. */
export function lineFault(pushed: Pushed, id: string, old: Fields, now: Fields): string | undefined {
  const path = `items.${id}.inventory_id`;
  if (typeof now.inventory_id !== 'number') return `${path}: a line does not leave its lot for none.`;
  if (partOf(pushed, now.inventory_id) !== now.part_id) return `${path} is a lot of another part.`;
  if (typeof old.inventory_id !== 'number') return undefined;
  const renamed = LOT_NAMING.filter(name => (old[name] ?? null) !== (now[name] ?? null));
  if (renamed.length === 0 && !isNamed(pushed, now.inventory_id, now))
    return `${path} is another lot than the line names.`;
  const isFree = !standingLocks(pushed, old.inventory_id).some(lock => HOLDING.includes(lock));
  return isFree || renamed.some(name => isSomebodysWord(pushed, `items.${id}.${name}`))
    ? undefined
    : `${path}: a line that leaves a lot that is held frees goods: the role quality accepts it with a reason.`;
}

/** Whether a lot is the one that a line names: of two that had one id, one has another since. */
function isNamed(pushed: Pushed, lot: number, line: Fields): boolean {
  const { serial_number: number } = line;
  if (typeof number !== 'string' || number.trim() === '') return false;
  return isSameNumber(lotValue(pushed, lot, 'batch_number'), number);
}

function partOf(pushed: Pushed, lot: number): unknown {
  return lotValue(pushed, lot, 'part_id');
}

function lotValue({ commit, read }: Pushed, lot: number, name: string): unknown {
  const subject = `inventory:${lot}`;
  const made = commit.entries.find(entry => entry.subject === subject);
  return (made && newIn(made, name)) ?? read.value(subject, name);
}

/** What a line's lot is not left for by its own author's word. */
const HOLDING: readonly LotLock[] = ['person', 'inspection_failed', 'lab_failed'];

/** What locks a lot, less what commits lifted that arrived with this one: their facts are written with its own. */
function standingLocks({ read, authors }: Pushed, lot: number): LotLock[] {
  return authors.locksOf(lot).flatMap(({ lock, source }) => {
    // A person decides it, at central as a rule.
    if (lock === 'conflict') return [lock];
    const [family = '', id] = source.split(':');
    const fields = standingFields(familyOfKey(source), source, read);
    const facts = lotFactsOf({ family, id: Number(id), fields });
    return facts.flatMap(fact => (fact.lot === lot && fact.lock !== null ? [fact.lock] : []));
  });
}

/** The values of a record as central has it. */
export function standingFields(family: Family | undefined, subject: string, read: RecordReader): Fields {
  const fields: Fields = {};
  for (const name of [...Object.keys(family?.fields ?? {}), ...Object.keys(family?.collections ?? {})]) {
    const value = read.value(subject, name) ?? null;
    if (value !== null) fields[name] = value;
  }
  return fields;
}
