import { TEXT_LIMIT } from '../../shared/contract/limits.ts';
import { itemsOf, type StoredRecord } from '../../shared/contract/present.ts';
import type { CAR_MEMBERS } from '../../shared/families/car-description.ts';
import { readLabData } from '../../shared/families/lab-data.ts';
import { sampleVerdict } from '../../shared/families/measured.ts';
import { acceptanceOf } from '../../shared/families/plan-sampling.ts';
import { reportsOfLines } from '../../shared/families/reports-of-lines.ts';
import { fromMicro } from '../../shared/quantities/quantity.ts';
import { mapOf } from '../store/changes.ts';
import { balancesOf, receiptsOf } from '../store/lots.ts';
import type { Reads } from './lot-state.ts';

/** The body of a report or request that nobody has raised yet: what a person would otherwise type. */
export type ProposedReport = Record<string, unknown>;

/**
 * Reports that a record suggests, filled in and linked (interface decisions, 5.8): of a receipt its rejected lines, of an
 * inspection or a lab result its failure, of a lot or a complaint itself; of a report, the corrective action request.
 * Nothing is raised without a person. What was reported already is not suggested again.
 */
export function proposedReports(reads: Reads, record: StoredRecord): ProposedReport[] {
  const reports = proposals[record.family]?.(reads, record) ?? [];
  return reports.map(report => {
    const { description } = report;
    return typeof description === 'string' ? { ...report, description: fitting(description) } : report;
  });
}

/** What is put together of long texts must still be taken when a person raises it. */
function fitting(text: string): string {
  return text.slice(0, TEXT_LIMIT).toWellFormed();
}

type Propose = (reads: Reads, record: StoredRecord) => ProposedReport[];

const proposals: Record<string, Propose> = {
  'receiving-inspection': ofReceipt,
  inspection: ofInspection,
  'lab-result': ofLabResult,
  inventory: ofLot,
  complaint: ofComplaint,
  ncr: ofReport,
};

function ofReceipt({ records }: Reads, { id, fields }: StoredRecord): ProposedReport[] {
  const raised = records.findBy('ncr', 'receiving_inspection_id', id).map(ncr => ncr.fields);
  const items = itemsOf({ position: 'order' }, fields.items);
  const reports = reportsOfLines(items, raised);
  return items.flatMap(item => {
    const rejected = Number(item.quantity_rejected ?? 0);
    const lot = item.serial_number ?? null;
    if (rejected <= 0 || reports.has(item)) return [];
    const part = records.get('part', Number(item.part_id));
    const unit = item.unit_of_measure ? ` ${item.unit_of_measure}` : '';
    return [
      {
        source: 'supplier',
        part_id: item.part_id,
        lot_number: lot,
        quantity: rejected,
        description: `${rejected}${unit} of ${part?.fields.name ?? 'the part'} rejected on receipt${fields.po_number ? ` of ${fields.po_number}` : ''}.`,
        receiving_inspection_id: id,
        inventory_id: item.inventory_id ?? null,
      },
    ];
  });
}

function ofInspection(reads: Reads, { id, fields }: StoredRecord): ProposedReport[] {
  if (fields.passed !== false || reads.records.findBy('ncr', 'inspection_id', id).length > 0) return [];
  const template = mapOf(fields.template).name;
  return [
    {
      ...aboutLot(reads, reads.records.get('inventory', Number(fields.inventory_id))),
      part_id: fields.entity_type === 'equipment' ? null : (fields.entity_id ?? null),
      description: `Inspection ${id}${template ? ` (${template})` : ''} failed${foundBy(fields)}.`,
      inspection_id: id,
    },
  ];
}

/** What the samples say; a sample that was not measured says nothing. Empty where only the inspector judges. */
function foundBy({ template, samples, sampling }: StoredRecord['fields']): string {
  const verdicts = Object.values(mapOf(samples)).map(sample => sampleVerdict(template, mapOf(sample)));
  const failed = verdicts.filter(verdict => verdict === false).length;
  const measured = verdicts.filter(verdict => verdict !== null).length;
  if (measured === 0) return '';
  const wanted = Math.max(verdicts.length, acceptanceOf(sampling).n);
  const rest = wanted > measured ? `; ${wanted} were to be measured` : '';
  return `: ${failed} of ${measured} measured samples outside their limits${rest}`;
}

/** What of the goods themselves is known: from whom they came, and how much of them there is. */
function aboutLot({ sql }: Reads, lot: StoredRecord | undefined) {
  const present = lot ? balancesOf(sql, lot.id).reduce((sum, { quantity }) => sum + quantity, 0n) : 0n;
  return {
    source: lot && receiptsOf(sql, lot.id).length > 0 ? 'supplier' : 'internal',
    part_id: lot?.fields.part_id ?? null,
    lot_number: lot?.fields.batch_number ?? null,
    quantity: present > 0n ? fromMicro(present) : null,
    inventory_id: lot?.id ?? null,
  };
}

function ofLabResult(reads: Reads, { id, fields }: StoredRecord): ProposedReport[] {
  const failed = Array.isArray(fields.failed_measurements) ? fields.failed_measurements : [];
  if (failed.length === 0 || reads.records.findBy('ncr', 'lab_result_id', id).length > 0) return [];
  const about = aboutLot(reads, reads.records.get('inventory', Number(fields.inventory_id)));
  const values = readLabData(fields.lab_data);
  const measured = failed.map(name => {
    const value = values.get(name);
    return `${name} ${value?.kind === 'number' ? value.value : (value?.text ?? '')}`.trim();
  });
  return [
    {
      ...about,
      part_id: about.part_id ?? fields.batch_part_id ?? null,
      lot_number: about.lot_number ?? fields.batch_number ?? null,
      description: `Lab result ${fields.testing_id ?? id}: outside the limits: ${measured.join(', ')}.`,
      lab_result_id: id,
      inspection_id: fields.inspection_id ?? null,
    },
  ];
}

/** A lot that a report is open about has one. */
function ofLot(reads: Reads, lot: StoredRecord): ProposedReport[] {
  const { id, fields } = lot;
  const reports = reads.records.findBy('ncr', 'inventory_id', id);
  if (reports.some(report => report.fields.status !== 'closed')) return [];
  const why =
    fields.is_locked_by_person === true && fields.lock_reason ? ` Locked: ${fields.lock_reason}` : '';
  return [
    {
      ...aboutLot(reads, lot),
      source: 'internal',
      description: `${nameOf(reads.records, fields.part_id)}${fields.batch_number ? `, lot ${fields.batch_number}` : ''}.${why}`,
    },
  ];
}

function ofComplaint({ records }: Reads, { id, fields }: StoredRecord): ProposedReport[] {
  if (records.findBy('ncr', 'complaint_id', id).length > 0) return [];
  const batch = fields.batch_number;
  const lots =
    typeof batch === 'string' && batch !== ''
      ? records
          .findBy('inventory', 'batch_number', batch)
          .filter(lot => (fields.part_id ?? lot.fields.part_id) === lot.fields.part_id)
      : [];
  // A number that names several lots names none of them for sure.
  const lot = lots.length === 1 ? lots[0] : undefined;
  const words = [fields.complainant_full_name, fields.comments].filter(text => text !== undefined);
  return [
    {
      source: 'customer',
      part_id: fields.part_id ?? lot?.fields.part_id ?? null,
      lot_number: batch ?? null,
      description: `Complaint ${fields.complaint_number ?? id}${words.length > 0 ? `: ${words.join(': ')}` : '.'}`,
      error_code_id: fields.error_code_id ?? null,
      complaint_id: id,
      inventory_id: lot?.id ?? null,
    },
  ];
}

function ofReport({ records }: Reads, { id, fields }: StoredRecord): ProposedReport[] {
  if (records.findBy('car', 'ncr_id', id).length > 0) return [];
  const receipt = records.get('receiving-inspection', Number(fields.receiving_inspection_id));
  return [
    {
      source: fields.source ?? null,
      type: 'corrective',
      po_number: receipt?.fields.po_number ?? null,
      description: {
        text: [fields.ncr_number, fields.description].filter(text => typeof text === 'string').join(': '),
        part: records.get('part', Number(fields.part_id))?.fields.name ?? null,
        lot_number: fields.lot_number ?? null,
        immediate_action: fields.immediate_action ?? null,
      } satisfies Record<keyof typeof CAR_MEMBERS, unknown>,
      ncr_id: id,
    },
  ];
}

function nameOf(records: Reads['records'], part: unknown): string {
  const name = records.get('part', Number(part))?.fields.name;
  return typeof name === 'string' ? name : 'The part';
}
