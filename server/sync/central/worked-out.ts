import { sameJson } from '../../../shared/contract/canonical-json.ts';
import { type ChangedValue, valuesIn } from '../../../shared/contract/permission.ts';
import {
  characteristicsOf,
  failedMeasurements,
  judged,
  limitsOf,
  measuredVerdict,
} from '../../../shared/families/measured.ts';
import { type Fields, mapOf } from '../../store/changes.ts';
import { isSomebodysWord } from './awaiting.ts';
import { lineFault, numberFault, openedFault } from './locked-lots.ts';
import { isUncertified, samplingFault } from './planned.ts';
import { newIn, type Pushed, valueAfter } from './pushed.ts';
import { takenFault } from './taken-lines.ts';

/**
 * What the rules work out of measurements, worked out again of what a station sends, in words where it is something else:
 * an altered station could say of failing values that they passed, or measure by limits that nobody approved. What frees
 * goods though the measurements do not carry it waits for quality there as well (interface decisions, 5.7).
 */
export function workedOutFault(pushed: Pushed): string | undefined {
  return workedOut[pushed.family.name]?.(pushed);
}

type Check = (pushed: Pushed) => string | undefined;

const workedOut: Record<string, Check> = {
  inspection: pushed => {
    const touches = (...names: string[]) => pushed.entry.changes.some(({ path }) => names.includes(path));
    if ((pushed.isNew || touches('template', 'drawing_id')) && !isCopy(pushed))
      return `template is no version of the inspection template ${valueAfter(pushed, 'drawing_id') ?? 'that it names'}.`;
    const sampled = samplingFault(pushed);
    if (sampled !== undefined) return sampled;
    const odd = misjudged(pushed);
    if (odd !== undefined) return `${odd} is not what the limits say of its value.`;
    if (!touches('passed')) return undefined;
    const { before, after } = pushed.states();
    if (keepsSettled(before, after)) return 'is_settled was of the former verdict.';
    if (after.passed !== true) return undefined;
    const isAgainst = measuredVerdict(after) === false || isShort(after);
    if (isAgainst !== (after.is_against_measurements === true))
      return 'passed is not what the measurements say, and is_against_measurements does not say so.';
    const isWord = isAgainst || mapOf(after.template).is_draft === true;
    return before.passed !== true && isWord && !isSomebodysWord(pushed, 'passed')
      ? 'passed without the measurements for it frees goods: the role quality accepts it with a reason.'
      : undefined;
  },

  'receiving-inspection': pushed => {
    const { before, after } = pushed.states();
    for (const [id, line] of Object.entries(mapOf(after.items))) {
      const [old, now] = [mapOf(mapOf(before.items)[id]), mapOf(line)];
      const fault = now.inventory_id === old.inventory_id ? undefined : lineFault(pushed, id, old, now);
      if (fault !== undefined) return fault;
      if (isUncertified(old, now))
        return `items.${id}.is_certificate_missing ends with a certificate_number.`;
    }
    return undefined;
  },

  'lab-result': pushed => {
    const measuring = ['lab_data', 'specification_id', 'failed_measurements'];
    if (!pushed.isNew && !pushed.entry.changes.some(({ path }) => measuring.includes(path))) return undefined;
    const { before, after } = pushed.states();
    const said = textsOf(after.failed_measurements);
    const templates = statesOf(pushed, after.specification_id);
    const isSaid = templates.some(fields =>
      failedMeasurements(fields && { fields }, after.lab_data).every(name => said.includes(name)),
    );
    if (!isSaid) return 'failed_measurements leaves out what lies outside the limits.';
    const failed = textsOf(before.failed_measurements);
    if (!sameJson(failed, said) && keepsSettled(before, after))
      return 'is_settled was of other measurements.';
    const isFreed = failed.length > 0 && said.length === 0;
    return isFreed && !isSomebodysWord(pushed, 'lab_data')
      ? 'lab_data that lies within the limits now frees goods: the role quality accepts it with a reason.'
      : undefined;
  },

  inventory: pushed => numberFault(pushed) ?? openedFault(pushed),

  shipment: pushed => {
    const { before, after } = pushed.states();
    for (const [id, line] of Object.entries(mapOf(after.items))) {
      const [old, now] = [mapOf(mapOf(before.items)[id]), mapOf(line)];
      const fault = sameJson(old.taken, now.taken) ? undefined : takenFault(pushed, id, now);
      if (fault !== undefined) return fault;
    }
    return undefined;
  },

  signature: pushed => nameFault(pushed, 'user_name'),
  // One that says that somebody else issued it is shown as imported (interface decisions, 5.17).
  certificate: pushed =>
    newIn(pushed.entry, 'issuer') === pushed.commit.user ? nameFault(pushed, 'issuer_name') : undefined,
};

/** Paper prints it as the author's: it is the name that he has, or had when his station last heard of him. */
function nameFault({ entry, read, authors, userId }: Pushed, field: string): string | undefined {
  const name = newIn(entry, field);
  const user = `user:${userId}`;
  const isOwn =
    userId !== undefined &&
    (name === read.value(user, 'name') || authors.statesOf(user).some(state => state.name === name));
  return isOwn ? undefined : `${field} is no name of the author.`;
}

/** Whether what the inspection keeps of its template is the template as it stands, or once stood. */
function isCopy(pushed: Pushed): boolean {
  const id = valueAfter(pushed, 'drawing_id');
  const template = valueAfter(pushed, 'template');
  if (typeof id !== 'number') return template === null;
  const kept = mapOf(template);
  return statesOf(pushed, id).some(
    fields =>
      fields !== undefined &&
      (fields.is_approved === true) === (kept.is_draft !== true) &&
      ['name', 'identification', 'revision'].every(name => sameJson(fields[name], kept[name])) &&
      sameItems(mapOf(fields.characteristics), mapOf(kept.characteristics)),
  );
}

/** But for their times. */
function sameItems(one: Fields, other: Fields): boolean {
  const ids = Object.keys(one);
  return (
    ids.length === Object.keys(other).length &&
    ids.every(id => Object.hasOwn(other, id) && isSameItem(mapOf(one[id]), mapOf(other[id])))
  );
}

function isSameItem(one: Fields, other: Fields): boolean {
  const of = (item: Fields, name: string) => (Object.hasOwn(item, name) ? item[name] : null);
  const isSame = (name: string) =>
    name === 'created_at' || name === 'updated_at' || sameJson(of(one, name), of(other, name));
  return [...Object.keys(one), ...Object.keys(other)].every(isSame);
}

/** The states of an inspection template, the newest first; one that is undefined where none is named. */
function* statesOf({ read, authors }: Pushed, id: unknown): Generator<Fields | undefined> {
  if (typeof id !== 'number') return yield undefined;
  const subject = `specification:${id}`;
  const names = ['name', 'identification', 'revision', 'characteristics', 'is_approved'];
  yield Object.fromEntries(names.map(name => [name, read.value(subject, name)]));
  yield* authors.statesOf(subject);
}

/** Fewer samples than were asked for pass nothing. */
function isShort({ samples, sample_size: wanted, template }: Fields): boolean {
  return characteristicsOf(template).length > 0 && Object.keys(mapOf(samples)).length < Number(wanted ?? 1);
}

/**
 * The path of a result whose verdict is not that of its limits, of those that the commit writes; undefined where there is
 * none. The verdict that the author saw was that of the value that he saw: what stands may be another's by now.
 */
function misjudged(pushed: Pushed): string | undefined {
  const { family, changes } = pushed;
  const written = valuesIn(family, changes.filter(isOfResult)).filter(isOfResult);
  if (written.length === 0) return undefined;
  const template = valueAfter(pushed, 'template');
  const { samples } = pushed.states().after;
  const characteristics = new Map(characteristicsOf(template).map(each => [String(each.id), each]));
  const byPath = new Map(written.map(change => [change.path, change]));
  const results = new Set(written.map(({ path }) => path.slice(0, path.lastIndexOf('.'))));
  for (const path of results) {
    const [, sample = '', , id = ''] = path.split('.');
    const characteristic = characteristics.get(id);
    if (!characteristic || limitsOf(characteristic) === null) continue;
    const of = (name: string) => byPath.get(`${path}.${name}`);
    const standing = mapOf(mapOf(mapOf(mapOf(samples)[sample]).results)[id]);
    const verdictOf = (value: unknown) => judged(characteristic, { value }).passed ?? null;
    const [value, passed] = [of('value'), of('passed')];
    const due = verdictOf(value ? value.new : standing.value);
    const said = passed ? (passed.new ?? null) : verdictOf(value?.old);
    if (said !== due) return `${path}.passed`;
  }
  return undefined;
}

function isOfResult({ path }: ChangedValue): boolean {
  return path.startsWith('samples') && /^samples(\.\d+(\.results(\.\d+(\.(value|passed))?)?)?)?$/.test(path);
}

function keepsSettled(before: Fields, after: Fields): boolean {
  return before.is_settled === true && after.is_settled === true;
}

function textsOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}
