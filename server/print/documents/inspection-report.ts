import { itemsOf, type StoredItem } from '../../../shared/contract/present.ts';
import { limitsOf } from '../../../shared/families/measured.ts';
import { planSamplingOf } from '../../../shared/families/plan-sampling.ts';
import { judge, type Limits } from '../../../shared/quantities/tolerance.ts';
import { type Fields, mapOf } from '../../store/changes.ts';
import { facts, headedTable, heading, notice, paragraph } from '../blocks.ts';
import { type Describe, nameOf, type PaperContext, partOf, recordOf } from '../context.ts';
import { correctionBlocks } from '../correction-blocks.ts';
import { limitsText } from '../limits-text.ts';
import type { Block, Cell, MarkedCell } from '../paper.ts';
import type { Words } from '../words.ts';

/** Samples beside each other in one table; further ones go into the next. */
const SAMPLES_WIDE = 6;

/** Samples by characteristics with their limits, what lies outside marked, and the inspector's verdict. */
export const inspectionReport: Describe = (context, record) => {
  const { words } = context;
  const { say } = words;
  const { fields } = record;
  const template = mapOf(fields.template);
  const samples = itemsOf({ position: 'sample_number' }, fields.samples);
  const rows = rowsOf(template, samples, words);
  return {
    title: 'inspection',
    number: String(record.id),
    blocks: [
      facts(...subjectOf(context, fields), ...templateOf(template, words)),
      verdictOf(fields, words),
      ...(fields.is_against_measurements === true ? [notice('wrong', say('againstMeasurements'))] : []),
      ...(rows.length === 0 ? [notice('plain', say('noTemplate'))] : resultBlocks(rows, samples, words)),
      ...commentsOf(rows, samples, words),
      ...correctionBlocks(context, record),
    ],
  };
};

interface ResultRow {
  name: string;
  limits: string;
  results: Fields[];
  cells: Cell[];
}

function subjectOf(context: PaperContext, fields: Fields): [string, string][] {
  const { say, text } = context.words;
  const lot = recordOf(context, 'inventory', fields.inventory_id);
  const isEquipment = fields.entity_type === 'equipment';
  return [
    isEquipment
      ? [say('equipment'), nameOf(context, 'equipment', fields.entity_id)]
      : [say('part'), partOf(context, fields.entity_id)],
    [say('lot'), text(lot?.fields.batch_number)],
    [say('samples'), text(fields.sample_size)],
    ...plannedOf(fields, context.words),
  ];
}

/** By which inspection plan, where one opened it. */
function plannedOf({ sampling }: Fields, { say }: Words): [string, string][] {
  const planned = planSamplingOf(sampling);
  if (!planned) return [];
  const { n, ac, re, lot_size: size } = planned;
  const says = { n: String(n), ac: String(ac), re: String(re), size: String(size) };
  return [[say('samplingPlan'), say('samplingPlanSays', says)]];
}

function templateOf(template: Fields, { say, text }: Words): [string, string][] {
  const { name, identification, revision } = template;
  const said = [name, identification].filter(Boolean).map(String);
  if (revision !== undefined) said.push(say('revision', { revision: String(revision) }));
  if (template.is_draft === true) said.push(say('draft'));
  return [[say('template'), text(said.join(' · '))]];
}

function verdictOf({ passed }: Fields, { say }: Words): Block {
  if (passed === true) return notice('plain', say('inspectionPassed'));
  return notice('wrong', say(passed === false ? 'inspectionFailed' : 'inspectionOpen'));
}

/** One row a characteristic; results that the template does not know come after it, judged by hand. */
function rowsOf(template: Fields, samples: readonly StoredItem[], words: Words): ResultRow[] {
  const characteristics = itemsOf({ position: 'order' }, template.characteristics);
  const known = new Set(characteristics.map(({ id }) => id));
  const other = new Set(
    samples.flatMap(sample => itemsOf({ position: 'order' }, sample.results).map(({ id }) => id)),
  );
  const all: (Fields & { id: number })[] = [
    ...characteristics,
    ...[...other].filter(id => !known.has(id)).map(id => ({ id, name: String(id) })),
  ];
  return all.map(characteristic => {
    const limits = limitsOf(characteristic);
    const name = words.text(characteristic.name);
    const results = samples.map(sample => mapOf(mapOf(sample.results)[characteristic.id]));
    return {
      name: characteristic.is_optional === true ? `${name} (${words.say('optional')})` : name,
      limits: limitsText(characteristic, limits, words),
      results,
      cells: results.map(result => resultCell(result, limits, characteristic.is_optional === true, words)),
    };
  });
}

function resultCell(result: Fields, limits: Limits | null, isOptional: boolean, words: Words): Cell {
  const { say, number } = words;
  const { value, passed } = result;
  if (typeof value !== 'number') {
    if (passed === true) return say('passed');
    if (passed === false) return { text: words.text(null), shape: 'cross', words: say('notOk') };
    return isOptional ? words.text(null) : say('missing');
  }
  if (limits !== null && judge(limits, value) === 'fail')
    return { text: number(value), ...sideOf(limits, value, words) };
  if (passed === false) return { text: number(value), shape: 'cross', words: say('notOk') };
  return number(value);
}

function sideOf({ upper }: Limits, value: number, { say }: Words): Pick<MarkedCell, 'shape' | 'words'> {
  const isHigh = upper !== null && value >= upper;
  return isHigh ? { shape: 'up', words: say('tooHigh') } : { shape: 'down', words: say('tooLow') };
}

function resultBlocks(rows: readonly ResultRow[], samples: readonly StoredItem[], words: Words): Block[] {
  const { say, number } = words;
  const cells = rows.flatMap(row => row.cells);
  const results = rows.flatMap(row => row.results);
  const counts = {
    measured: number(results.filter(({ value, passed }) => (value ?? passed ?? null) !== null).length),
    all: number(results.length),
    outside: number(cells.filter(cell => typeof cell !== 'string').length),
  };
  const blocks = [heading(say('results')), paragraph('', say('resultCount', counts))];
  for (let from = 0; from < samples.length; from += SAMPLES_WIDE) {
    const shown = samples.slice(from, from + SAMPLES_WIDE);
    blocks.push({
      kind: 'table',
      columns: [
        { label: say('characteristic'), share: 5 },
        { label: say('limits'), share: 4 },
        ...shown.map(sample => ({ label: sampleName(sample, words), share: 2.5, isNumber: true })),
      ],
      rows: rows.map(row => [row.name, row.limits, ...row.cells.slice(from, from + SAMPLES_WIDE)]),
    });
  }
  return blocks;
}

function sampleName({ sample_number: number, sample_serial: serial }: Fields, { say }: Words): string {
  const name = say('sample', { number: String(number) });
  return typeof serial === 'string' && serial !== '' ? `${name}\n${serial}` : name;
}

function commentsOf(rows: readonly ResultRow[], samples: readonly StoredItem[], words: Words): Block[] {
  const comments = rows.flatMap(row =>
    row.results.flatMap(({ comment }, index) => {
      const sample = samples[index];
      if (typeof comment !== 'string' || comment === '' || !sample) return [];
      return { number: String(sample.sample_number), name: row.name, comment };
    }),
  );
  return headedTable(words, 'comments', comments, [
    ['samples', 2, ({ number }) => words.say('sample', { number })],
    ['characteristic', 4, ({ name }) => name],
    ['comments', 8, ({ comment }) => comment],
  ]);
}
