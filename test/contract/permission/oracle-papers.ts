import type { Row } from './oracle.ts';

const master: Row[] = [
  { of: 'supplier', path: 'notes', to: 'another', may: 'operator' },
  { of: 'customer', path: 'city', to: 'Ely', may: 'operator' },
  { of: 'location', path: 'is_active', from: true, to: false, may: 'operator' },
  { of: 'order', path: 'notes', to: 'another', may: 'operator' },
  { of: 'order', path: 'is_closed', from: true, to: false, may: 'operator' },
  { of: 'order', path: 'items.*.quantity', from: 3, to: 4, may: 'operator' },
  { of: 'purchase-order', path: 'items.*.quantity', from: 3, to: 4, may: 'operator' },
  {
    of: 'purchase-order',
    path: 'items.*.is_closed',
    from: true,
    to: false,
    is: ['fromTrue'],
    may: 'operator',
    why: 'person',
  },
  { of: 'purchase-order', path: 'expected_date', to: '2026-07-01', may: 'operator' },
  { of: 'purchase-order', path: 'is_closed', from: false, to: true, may: 'operator' },
  {
    of: 'purchase-order',
    path: 'is_closed',
    from: true,
    to: false,
    is: ['fromTrue'],
    may: 'operator',
    why: 'person',
  },
  { of: 'stock-count', path: 'notes', to: 'by two people', may: 'operator' },
  { of: 'stock-count', path: 'is_finished', from: false, to: true, may: 'operator' },
  {
    of: 'stock-count',
    path: 'is_posted',
    from: false,
    to: true,
    is: ['toTrue'],
    may: 'quality',
    isSetByServer: true,
  },
  {
    of: 'stock-count',
    path: 'is_posted',
    from: true,
    to: false,
    is: ['fromTrue'],
    may: 'quality',
    isSetByServer: true,
  },
  {
    of: 'stock-count',
    path: 'is_withdrawn',
    from: false,
    to: true,
    is: ['correction'],
    may: 'operator',
    why: 'person',
  },
  { of: 'equipment', path: 'identification', to: 'G-2', may: 'inspector' },
  { of: 'company', path: 'is_active', from: true, to: false, may: 'quality' },
  { of: 'part-type', path: 'is_active', from: true, to: false, may: 'quality' },
  { of: 'error-code', path: 'is_active', from: true, to: false, may: 'quality' },
  { of: 'shared-view', path: 'is_active', from: true, to: false, may: 'operator' },
  { of: 'user', path: 'is_active', from: true, to: false, may: 'administrator' },
  { of: 'user', path: 'roles', from: ['viewer'], to: ['quality'], may: 'administrator' },
  { of: 'setting', path: 'expiry_soon_days', from: 30, to: 31, may: 'administrator' },
];

const density = { density: 1, density_mass_unit: 'kg', density_volume_unit: 'l' };

/** How strictly a part is sampled is quality's to say; what its amounts mean changes with a reason (5.6). */
const parts: Row[] = [
  { of: 'part', path: 'reorder_point', to: 5, may: 'operator' },
  { of: 'part', path: 'density', from: null, to: 2, may: 'operator' },
  ...Object.entries({
    unit_of_measure: 'g',
    density: 2,
    density_mass_unit: 'g',
    density_volume_unit: 'ml',
  }).map(
    ([path, to]): Row => ({
      of: 'part',
      path,
      on: { unit_of_measure: 'kg', ...density },
      to,
      is: ['correction'],
      may: 'operator',
      why: 'person',
    }),
  ),
  ...(['sampling_level', 'sampling_aql'] as const).flatMap((path): Row[] => {
    const [one, other] = path === 'sampling_level' ? ['II', 'I'] : ['1', '10'];
    return [
      { of: 'part', path, from: null, to: other, is: ['any'], may: 'quality', first: 'quality' },
      {
        of: 'part',
        path,
        from: one,
        to: other,
        is: ['any', 'correction'],
        may: 'quality',
        why: 'person',
        first: 'quality',
      },
      { of: 'part', path, from: one, to: null, is: ['any', 'correction'], may: 'quality', why: 'person' },
    ];
  }),
];

/** What is inspected of goods is quality's to say, and says why when it says otherwise. */
const plans: Row[] = [
  { of: 'inspection-plan', path: 'notes', to: 'another', may: 'quality' },
  { of: 'inspection-plan', path: 'is_quarantined_first', from: false, to: true, may: 'quality' },
  ...(
    [
      ['part_id', ({ part }) => part, ({ otherPart }) => otherPart],
      ['part_type_id', ({ partType }) => partType, null],
      ['supplier_id', ({ supplier }) => supplier, null],
      ['specification_id', ({ template }) => template, ({ otherTemplate }) => otherTemplate],
      ['sampling', 'fixed', 'lot-size'],
      ['sampling_level', 'II', 'I'],
      ['sampling_aql', '1', '10'],
      ['sample_count', 5, 4],
      ['inspect_every', 2, 3],
    ] satisfies [string, Row['from'], Row['to']][]
  ).map(
    ([path, from, to]): Row => ({
      of: 'inspection-plan',
      path,
      on: { sample_count: 7 },
      from,
      to,
      is: ['correction'],
      may: 'quality',
      why: 'person',
    }),
  ),
  ...['is_certificate_required', 'is_quarantined_first', 'is_active'].map(
    (path): Row => ({
      of: 'inspection-plan',
      path,
      from: true,
      to: false,
      is: ['fromTrue'],
      may: 'quality',
      why: 'person',
    }),
  ),
];

const templates: Row[] = [
  { of: 'specification', path: 'notes', to: 'another', may: 'quality' },
  { of: 'specification', path: 'characteristics.*.tolerance', from: '±1', to: '±9', may: 'quality' },
  { of: 'specification', path: 'is_approved', from: false, to: true, may: 'quality' },
  {
    of: 'specification',
    path: 'is_approved',
    from: true,
    to: false,
    is: ['fromTrue'],
    may: 'quality',
    why: 'person',
  },
];

const ncr = (row: Omit<Row, 'of' | 'may'>): Row => ({ of: 'ncr', may: 'quality', ...row });

/** Programs raise and change reports, requests and complaints; what is decided of them is quality's. */
const reports: Row[] = [
  ncr({ path: 'description', to: 'another', isOpen: true }),
  ncr({ path: 'status', from: 'open', to: 'in_review', is: ['leavesOpen'], first: 'quality' }),
  ncr({ path: 'status', from: 'open', to: 'closed', is: ['leavesOpen'], first: 'quality' }),
  ncr({
    path: 'status',
    from: 'closed',
    to: 'in_review',
    is: ['leavesOpen', 'leavesClosed'],
    why: 'person',
    first: 'quality',
  }),
  ncr({ path: 'status', from: 'closed', to: 'open', is: ['leavesClosed'], why: 'person' }),
  ncr({ path: 'status', from: 'in_review', to: 'open', isOpen: true }),
  ncr({
    path: 'disposition',
    from: null,
    to: 'use-as-is',
    is: ['any'],
    why: 'everybody',
    isNoCorrection: true,
    first: { may: 'quality', why: 'everybody' },
  }),
  ncr({
    path: 'disposition',
    from: 'use-as-is',
    to: 'rework',
    is: ['any'],
    why: 'everybody',
    isNoCorrection: true,
    first: { may: 'quality', why: 'everybody' },
  }),
  ncr({
    path: 'disposition',
    from: 'use-as-is',
    to: null,
    is: ['any'],
    why: 'everybody',
    isNoCorrection: true,
  }),
  // Which rework holds the lot is said by the disposition alone.
  ncr({
    path: 'rework_inspection_id',
    from: null,
    to: s => s.looseInspection,
    is: ['any'],
    isSetByServer: true,
  }),
  ncr({ path: 'lot_number', from: null, to: 'B', isOpen: true }),
  ncr({ path: 'lot_number', from: 'A', to: 'B', is: ['correction'], isOpen: true, why: 'person' }),
  ncr({
    path: 'date_opened',
    from: '2026-06-01',
    to: '2026-06-02',
    is: ['correction'],
    isOpen: true,
    why: 'person',
  }),
];

const car = (row: Omit<Row, 'of' | 'may'>): Row => ({ of: 'car', may: 'quality', ...row });
const requests: Row[] = [
  car({ path: 'po_number', to: 'another', isOpen: true }),
  car({
    path: 'date_opened',
    from: '2026-06-01',
    to: '2026-06-02',
    is: ['correction'],
    isOpen: true,
    why: 'person',
  }),
  car({ path: 'date_closed', from: null, to: '2026-06-02', is: ['any'], first: 'quality' }),
  car({
    path: 'date_closed',
    from: '2026-06-01',
    to: '2026-06-02',
    is: ['any', 'correction'],
    why: 'person',
    first: 'quality',
  }),
  car({ path: 'date_closed', from: '2026-06-01', to: null, is: ['any', 'correction'], why: 'person' }),
];

const complaint = (row: Omit<Row, 'of' | 'may'>): Row => ({ of: 'complaint', may: 'quality', ...row });
const complaints: Row[] = [
  complaint({ path: 'comments', to: 'another', isOpen: true }),
  complaint({
    path: 'complaint_date',
    from: '2026-06-01',
    to: '2026-06-02',
    is: ['correction'],
    isOpen: true,
    why: 'person',
  }),
  complaint({ path: 'batch_number', from: 'A', to: 'B', is: ['correction'], isOpen: true, why: 'person' }),
  complaint({ path: 'is_investigated', from: false, to: true, is: ['any'], first: 'quality' }),
  complaint({ path: 'is_investigated', from: true, to: false, is: ['any'] }),
  complaint({ path: 'is_closed', from: false, to: true, is: ['any'], first: 'quality' }),
  complaint({ path: 'is_closed', from: true, to: false, is: ['any', 'fromTrue'], why: 'person' }),
];

const shipments: Row[] = [
  { of: 'shipment', path: 'po_number', to: 'another', may: 'operator' },
  { of: 'shipment', path: 'items.*.quantity', from: 3, to: 4, may: 'operator' },
  {
    of: 'shipment',
    path: 'actual_ship_date',
    on: { items: [] },
    from: null,
    to: '2026-06-15',
    may: 'operator',
  },
  {
    of: 'shipment',
    path: 'actual_ship_date',
    on: { items: [] },
    from: '2026-06-14',
    to: '2026-06-15',
    is: ['correction'],
    may: 'operator',
    why: 'person',
  },
  // The goods come back, with a reason of whoever it is (5.5).
  {
    of: 'shipment',
    path: 'actual_ship_date',
    on: { items: [] },
    from: '2026-06-15',
    to: null,
    is: ['correction'],
    may: 'operator',
    why: 'everybody',
  },
];

/** Master data, and what is written about goods. */
export const papers: readonly Row[] = [
  ...master,
  ...parts,
  ...plans,
  ...templates,
  ...reports,
  ...requests,
  ...complaints,
  ...shipments,
];

/** Of records that are never changed: how each begins. */
export const facts: readonly Row[] = [
  { of: 'adjustment', path: 'reason', to: 'counted', may: 'quality' },
  { of: 'move', path: 'reason', to: 'nearer', may: 'operator' },
  { of: 'sampling-ruling', path: 'reason', to: 'steady', may: 'quality' },
];
