import { defineFamily } from '../contract/define-family.ts';
import { choice, date, decimal, flag, longText, recordId, reference, text } from '../contract/fields.ts';
import { corrected } from '../contract/may.ts';

/** What becomes of goods that do not conform (ISO 9001:2015, 8.7.1). */
export const dispositions = ['use-as-is', 'rework', 'return', 'scrap'] as const;
export type Disposition = (typeof dispositions)[number];

/** A non-conformance report: interface 2.6 and 4.5. */
export const ncr = defineFamily({
  name: 'ncr',
  title: 'Non-conformance report',
  plural: 'Non-conformance reports',
  path: '/ncrs',
  section: '2.6',
  description: 'A report of something that does not conform.',
  fields: {
    id: recordId({ isAdditive: true }),
    ncr_number: text({
      label: 'NCR number',
      description: 'Numbered by the server when absent, at `/x/ncrs`.',
    }),
    source: choice(['internal', 'customer', 'supplier'], {
      spelledAlso: ['Internal', 'Customer', 'Supplier'],
      requiredOn: ['create'],
      fold: value => value.toLowerCase(),
    }),
    lot_number: text(),
    quantity: decimal({ minimum: 0 }),
    description: longText(),
    immediate_action: longText(),
    is_root_cause_determined: flag({ fallback: false }),
    has_incomplete_action_items: flag({ fallback: false }),
    has_unread_notes: flag({ fallback: false }),
    part_id: reference('part', { isAlsoText: true }),
    date_opened: date({
      isAdditive: true,
      returned: false,
      description: 'Today unless given.',
    }),
    status: choice(['open', 'in_review', 'closed'], { isAdditive: true, fallback: 'open', isVerdict: true }),
    receiving_inspection_id: reference('receiving-inspection', { isAdditive: true, returned: false }),
    inspection_id: reference('inspection', { isAdditive: true, returned: false }),
    inventory_id: reference('inventory', { label: 'Lot record', isAdditive: true, returned: false }),
    lab_result_id: reference('lab-result', { isAdditive: true, returned: false }),
    complaint_id: reference('complaint', { isAdditive: true, returned: false }),
    error_code_id: reference('error-code', { isAdditive: true, returned: false, label: 'Cause' }),
    disposition: choice(dispositions, {
      isAdditive: true,
      returned: false,
      isVerdict: true,
      description:
        'What becomes of the goods. Each change of it takes effect on the stock and needs a reason.',
    }),
    disposition_quantity: decimal({
      isAdditive: true,
      returned: false,
      minimum: 0,
      description:
        'What return or scrap takes out of the lot, in the unit of the lot; 0 where it never came into stock.',
    }),
    disposition_location_id: reference('location', {
      isAdditive: true,
      returned: false,
      description: 'Where it is taken from; needed where the lot stands in several places.',
    }),
    // Two stations that dispose alike agree on the disposition, but each has taken the goods out: the second loses.
    disposition_adjustment_id: reference('adjustment', {
      writable: false,
      isAdditive: true,
      returned: false,
      isVerdict: true,
      description: 'The adjustment that return or scrap made.',
    }),
    // Two stations that take it back alike agree on everything else, but each has put the goods back: the second loses.
    disposition_reversal_id: reference('adjustment', {
      writable: false,
      isAdditive: true,
      returned: false,
      isVerdict: true,
      description: 'The adjustment by which return or scrap was last taken back.',
    }),
    rework_inspection_id: reference('inspection', {
      writable: false,
      isAdditive: true,
      returned: false,
      isVerdict: true,
      description: 'The inspection that rework opened: the lot stays locked until it passes.',
    }),
    is_lock_lifted: flag({
      writable: false,
      isAdditive: true,
      returned: false,
      description: "The disposition lifted a person's lock of the lot.",
    }),
  },
  operations: {
    documented: {
      section: '4.5',
      kinds: ['list', 'create', 'read', 'update'],
      requiredOnCreate: ['ncr_number'],
    },
    extensions: ['create'],
    hasMetaId: true,
    passes: ['esignature_password', 'esignature_reason'],
  },
  columns: ['ncr_number', 'source', 'status', 'lot_number', 'part_id', 'quantity'],
  lists: ['date_opened'],
  search: ['ncr_number', 'lot_number', 'description', 'immediate_action'],
  filters: {
    status: { description: 'Only reports in this state: open, in_review, closed.', isAdditive: false },
    source: { description: 'Only reports from this source.', isAdditive: false },
    part_id: { description: 'Only reports about this part.', isAdditive: true },
    receiving_inspection_id: { description: 'Only reports raised by this receipt.', isAdditive: true },
    inspection_id: { description: 'Only reports raised by this inspection.', isAdditive: true },
    inventory_id: { description: 'Only reports about this lot.', isAdditive: true },
    lab_result_id: { description: 'Only reports raised by this lab result.', isAdditive: true },
    complaint_id: { description: 'Only reports raised by this complaint.', isAdditive: true },
  },
  indexes: ['lot_number'],
  unique: ['ncr_number'],
  detailFields: ['part_id', 'lot_number'],
  numbered: { field: 'ncr_number', prefix: 'NCR' },
  rules: ['disposition'],
  may: {
    create: 'operator',
    change: 'quality',
    isOpenToIntegrations: true,
    rules: {
      status: [
        { when: 'leavesOpen', role: 'quality' },
        { when: 'leavesClosed', role: 'quality', needsReason: true },
      ],
      disposition: [{ when: 'any', role: 'quality' }],
      // The inspection that frees the lot.
      rework_inspection_id: [{ when: 'any', role: 'quality' }],
      lot_number: [corrected],
      date_opened: [corrected],
    },
  },
});
