import { itemsOf, type StoredRecord } from '../../shared/present.ts';
import { mapOf } from '../store/changes.ts';
import { sampleVerdict } from './inspecting.ts';
import type { Reads } from './lot-state.ts';

/** The body of a report that nobody has raised yet: what a person would otherwise type. */
export type ProposedReport = Record<string, unknown>;

/**
 * Reports that a rejected quantity or a failed inspection suggests, filled in and linked (interface decisions, 5.8).
 * Nothing is raised without a person, who gives the number. What was reported already is not suggested again.
 */
export function proposedReports(records: Reads['records'], record: StoredRecord): ProposedReport[] {
  if (record.family === 'receiving-inspection') return ofReceipt(records, record);
  if (record.family === 'inspection') return ofInspection(records, record);
  return [];
}

function ofReceipt(records: Reads['records'], { id, fields }: StoredRecord): ProposedReport[] {
  const raised = records.findBy('ncr', 'receiving_inspection_id', id).map(ncr => ncr.fields);
  return itemsOf({ position: 'order' }, fields.items).flatMap(item => {
    const rejected = Number(item.quantity_rejected ?? 0);
    const lot = item.serial_number ?? null;
    const isRaised = raised.some(ncr => ncr.part_id === item.part_id && (ncr.lot_number ?? null) === lot);
    if (rejected <= 0 || isRaised) return [];
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

function ofInspection(records: Reads['records'], { id, fields }: StoredRecord): ProposedReport[] {
  if (fields.passed !== false || records.findBy('ncr', 'inspection_id', id).length > 0) return [];
  const lot = records.get('inventory', Number(fields.inventory_id));
  const samples = Object.values(mapOf(fields.samples));
  const failed = samples.filter(sample => sampleVerdict(fields.template, mapOf(sample)) === false).length;
  const template = mapOf(fields.template).name;
  return [
    {
      source: 'internal',
      part_id: fields.entity_type === 'equipment' ? null : (fields.entity_id ?? null),
      lot_number: lot?.fields.batch_number ?? null,
      description: `Inspection ${id}${template ? ` (${template})` : ''} failed: ${failed} of ${samples.length} samples outside their limits.`,
      inspection_id: id,
      inventory_id: fields.inventory_id ?? null,
    },
  ];
}
