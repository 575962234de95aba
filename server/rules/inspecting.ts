import { sameJson } from '../../shared/contract/canonical-json.ts';
import { AppError } from '../../shared/contract/errors.ts';
import { sample } from '../../shared/families/inspection.ts';
import { characteristicsOf, judged, measuredVerdict, sampleVerdict } from '../../shared/families/measured.ts';
import { acceptanceOf } from '../../shared/families/plan-sampling.ts';
import type { PlannedChange } from '../store/changes.ts';
import { eachItem, type Fields, mapOf } from '../store/changes.ts';
import type { Rule, UnitOfWork } from '../store/unit-of-work.ts';
import { recordWord } from './corrections.ts';
import { judgeRework } from './disposition.ts';
import { requireReason } from './reason.ts';

/**
 * Inspecting (interface decisions, 5.7): the template is copied when the inspection is created, samples are built from
 * its characteristics and judged against its limits, and a verdict is the inspector's word, flagged where it goes
 * against the measurements.
 */
export const inspecting: Rule = (work, change) => {
  const { fields } = change;
  checkEntity(work, change);
  const judged = change.before?.fields.inventory_id;
  // Another lot would no longer be held by what was found of this one.
  if (judged !== undefined && judged !== fields.inventory_id) requireReason(work);
  // Sampling would no longer count the failure.
  if (change.before?.fields.passed === false && isMadeResubmitted(change)) requireReason(work);
  const wasFinal = typeof change.before?.fields.passed === 'boolean';
  const isFinal = typeof fields.passed === 'boolean';
  if (wasFinal && !isFinal) requireReason(work);
  if (work.isAtFault()) return;
  snapshotTemplate(work, change);
  fillSamples(work, change);
  noteVerdict(work, change);
  const verdict = measuredVerdict(fields);
  if (isFinal && verdict !== null && verdict !== fields.passed) fields.is_against_measurements = true;
  else delete fields.is_against_measurements;
  const isWord = fields.is_against_measurements === true || isDraft(fields.template);
  if (frees(change) && (isWord || (verdict === null && isRework(work, change.id))))
    recordWord(work, change, 'passed');
  else if (contradicts(change)) recordWord(work, change, 'passed');
};

/** Whether what was measured since speaks against the verdict by which the lot is free. */
function contradicts({ before, fields, isByRule }: PlannedChange): boolean {
  if (isByRule || before?.fields.passed !== true || fields.is_against_measurements !== true) return false;
  if (before.fields.is_against_measurements !== true) return true;
  const known = failingSamples(before.fields);
  return failingSamples(fields).some(id => !known.includes(id));
}

function isMadeResubmitted({ before, fields }: PlannedChange): boolean {
  return fields.is_resubmitted === true && before?.fields.is_resubmitted !== true;
}

/** Whether the change makes the verdict one that frees its lot. */
function frees({ before, fields, isByRule }: PlannedChange): boolean {
  return !isByRule && fields.passed === true && before?.fields.passed !== true;
}

/** What passed a rework without anything to measure is a word: it lifts what a person, or a failure, had locked. */
function isRework(work: UnitOfWork, id: number): boolean {
  return work.findBy('ncr', 'rework_inspection_id', id).length > 0;
}

/** A template that nobody approved decides nothing. */
function isDraft(template: unknown): boolean {
  return mapOf(template).is_draft === true;
}

/** A new verdict has its moment, and what a disposition settled of the former one no longer holds. */
function noteVerdict(work: UnitOfWork, change: PlannedChange): void {
  const { before, fields } = change;
  if ((before?.fields.passed ?? null) === (fields.passed ?? null)) return;
  if (typeof fields.passed === 'boolean') fields.finalised_at = work.at;
  else delete fields.finalised_at;
  delete fields.is_settled;
  judgeRework(work, change);
}

function checkEntity(work: UnitOfWork, change: PlannedChange): void {
  const { fields, pathOf } = change;
  const path = pathOf('entity_id');
  if (work.isAtFault(path, pathOf('entity_type'))) return;
  const isLotRead = !work.isAtFault(pathOf('inventory_id'));
  const lot = isLotRead ? work.get('inventory', Number(fields.inventory_id)) : undefined;
  if (fields.entity_id === undefined && lot) fields.entity_id = lot.fields.part_id;
  if (lot && fields.entity_type !== 'equipment' && fields.entity_id !== lot.fields.part_id) {
    const message = `The lot ${lot.id} is of part ${lot.fields.part_id}, not ${fields.entity_id}. Give the same part.`;
    work.blame(path, message);
  }
  if (typeof fields.entity_id !== 'number') return;
  const type = fields.entity_type === 'equipment' ? 'equipment' : 'part';
  if (work.get(type, fields.entity_id)) return;
  const message = `There is no ${type} with the id ${fields.entity_id}. Give the id of an existing one.`;
  work.blame(path, message);
}

function snapshotTemplate(work: UnitOfWork, change: PlannedChange): void {
  const { fields, before } = change;
  if (fields.drawing_id === before?.fields.drawing_id && before) return;
  if (before && hasMeasurements(fields)) {
    throw new AppError(
      'conflict',
      'Samples are measured by the template already. Create another inspection for another template.',
    );
  }
  if (before) fields.samples = withoutResultsOf(before.fields.template, fields.samples);
  if (typeof fields.drawing_id !== 'number') {
    delete fields.template;
    return;
  }
  const template = work.require('specification', fields.drawing_id);
  const { name, identification, revision, characteristics, is_approved: isApproved } = template.fields;
  const draft = isApproved === true ? {} : { is_draft: true };
  fields.template = { name, identification, revision, characteristics: mapOf(characteristics), ...draft };
}

/** Of a template that is replaced nothing was measured: what it asked for is kept, but neither shown nor judged. */
function withoutResultsOf(template: unknown, samples: unknown): Fields {
  const asked = new Set(characteristicsOf(template).map(({ id }) => String(id)));
  return eachItem(samples, sampleFields => ({
    ...sampleFields,
    results: eachItem(sampleFields.results, (result, id) =>
      asked.has(id) ? { ...result, is_removed: true } : result,
    ),
  }));
}

/** More than a person measures, and as much as one record can hold and still be written in a blink. */
const RESULT_LIMIT = 20_000;

/** With a template a result names its characteristic; anything else would be a measurement of nothing. */
function blameUnknownResults(work: UnitOfWork, { fields, before, pathOf }: PlannedChange): void {
  const characteristics = characteristicsOf(fields.template);
  if (characteristics.length === 0) return;
  const known = new Set(characteristics.map(({ id }) => String(id)));
  for (const [id, entry] of Object.entries(mapOf(fields.samples))) {
    const old = mapOf(mapOf(mapOf(before?.fields.samples)[id]).results);
    for (const result of Object.keys(mapOf(mapOf(entry).results))) {
      if (known.has(result) || old[result] !== undefined) continue;
      const names = characteristics.map(({ id: own, name }) => `${own} (${name})`).slice(0, 20);
      const message = `Name the characteristic by its id: ${names.join(', ')}${characteristics.length > 20 ? ', …' : ''}.`;
      work.blame(pathOf('id', Number(result)), message);
    }
  }
}

/** Builds missing samples and their results, numbers them and judges what was measured. */
function fillSamples(work: UnitOfWork, change: PlannedChange): void {
  const { fields, before } = change;
  const samples: Fields = { ...mapOf(fields.samples) };
  // What a plan asks for is not asked for less.
  const wanted = Math.max(Number(fields.sample_size ?? 1), acceptanceOf(fields.sampling).n);
  blameUnknownResults(work, change);
  if (before && wanted < Number(before.fields.sample_size ?? 1) && Object.keys(samples).length > wanted) {
    const message = `There are ${Object.keys(samples).length} samples already. Samples are never removed.`;
    work.blame(change.pathOf('sample_size'), message);
  }
  const perSample = characteristicsOf(fields.template).length;
  if (wanted * perSample > RESULT_LIMIT) {
    const most = Math.floor(RESULT_LIMIT / perSample);
    const message = `${wanted} samples of ${perSample} characteristics are too many. The most here is ${most}.`;
    work.blame(change.pathOf('sample_size'), message);
  }
  if (work.isAtFault()) return;
  while (Object.keys(samples).length < wanted) samples[work.nextItemId(sample)] = {};
  let number = Math.max(0, ...Object.values(samples).map(entry => Number(mapOf(entry).sample_number ?? 0)));
  for (const [id, entry] of Object.entries(samples)) {
    const fresh = mapOf(entry);
    number += fresh.sample_number === undefined ? 1 : 0;
    samples[id] = {
      sample_number: number,
      ...fresh,
      results: resultsOf(fields.template, mapOf(fresh.results)),
    };
  }
  fields.samples = samples;
  fields.sample_size = Object.keys(samples).length;
}

/** A result's id is that of its characteristic; a result that the template does not know is judged by hand. */
function resultsOf(template: unknown, given: Fields): Fields {
  const results: Fields = {};
  for (const characteristic of characteristicsOf(template)) {
    const { is_removed: _, ...entry } = mapOf(given[characteristic.id]);
    results[characteristic.id] = judged(characteristic, { order: characteristic.order ?? 0, ...entry });
  }
  for (const [id, entry] of Object.entries(given)) results[id] ??= entry;
  return results;
}

/** Whether anything was measured, judged or noted of a sample. */
export function hasMeasurements(fields: Fields): boolean {
  return Object.values(mapOf(fields.samples)).some(entry =>
    Object.values(mapOf(mapOf(entry).results)).some(result => {
      const { value, passed, comment } = mapOf(result);
      return !sameJson([value ?? null, passed ?? null, comment ?? null], [null, null, null]);
    }),
  );
}

/** Whether a sample lies outside the limits, whatever the verdict. */
export function hasFailingSample(fields: Fields): boolean {
  return failingSamples(fields).length > 0;
}

function failingSamples({ template, samples }: Fields): string[] {
  return Object.entries(mapOf(samples)).flatMap(([id, entry]) =>
    sampleVerdict(template, mapOf(entry)) === false ? [id] : [],
  );
}
