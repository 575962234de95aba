import { type Site, type Step, updateStep } from './site.ts';

interface SampleNcr {
  day: number;
  source: 'supplier' | 'internal' | 'customer';
  /** The lot it is about, by the receipt that brought it. */
  lot?: string;
  quantity?: number;
  description: string;
  action?: string;
  /** An error code, once it is known. */
  cause?: string;
  /** Where it stands today. */
  status: 'open' | 'in_review' | 'closed';
  /** Keys of what it came from. */
  from?: Partial<
    Record<'receiving_inspection_id' | 'inspection_id' | 'lab_result_id' | 'complaint_id', string>
  >;
}

/** NCR-1 is the first. */
const ncrs: readonly SampleNcr[] = [
  {
    day: -194,
    source: 'supplier',
    lot: 'karsholt#2/PK-3010',
    quantity: 36,
    description: 'One layer of 100 ml bottles broken in transit.',
    cause: 'Broken in transit',
    action: 'Rejected at the dock, credit note asked for.',
    status: 'closed',
    from: { receiving_inspection_id: 'receipt:karsholt#2' },
  },
  {
    day: -191,
    source: 'supplier',
    lot: 'tillerfield#1/RM-1010',
    quantity: 50,
    description: 'Two bags of linseed wet through a torn tarpaulin.',
    cause: 'Broken in transit',
    action: 'Bags rejected, the rest probed for moisture.',
    status: 'closed',
    from: { receiving_inspection_id: 'receipt:tillerfield#1' },
  },
  {
    day: -146,
    source: 'internal',
    lot: 'karsholt#4/PK-3020',
    quantity: 600,
    description: 'Wall thickness below 1.1 mm on two of five bottles.',
    cause: 'Dimension out of limits',
    action: 'Lot locked and labelled, supplier informed.',
    status: 'in_review',
    from: { receiving_inspection_id: 'receipt:karsholt#4', inspection_id: 'inspection:karsholt#4/PK-3020' },
  },
  {
    day: -145,
    source: 'supplier',
    lot: 'penmarrow#3/PK-3110',
    quantity: 1200,
    description: 'Opening torque below 1.1 N.m on three of five closures.',
    cause: 'Leaking closure',
    action: 'Whole lot goes back to the supplier.',
    status: 'closed',
    from: { receiving_inspection_id: 'receipt:penmarrow#3', inspection_id: 'inspection:penmarrow#3/PK-3110' },
  },
  {
    day: -140,
    source: 'internal',
    lot: 'bottle#9/FG-4010',
    quantity: 300,
    description: 'Net content below 248 ml on the last bottles of the run.',
    cause: 'Short delivery',
    action: 'Lot locked until every bottle has been weighed.',
    status: 'in_review',
    from: { inspection_id: 'inspection:bottle#9/FG-4010' },
  },
  {
    day: -120,
    source: 'internal',
    description: 'Torque tester TT-1 reads 4 % high at 1.5 N.m.',
    action: 'Tester adjusted; closures since the last good check tried again.',
    status: 'closed',
    from: { inspection_id: 'inspection:torque-tester#4' },
  },
  {
    day: -117,
    source: 'supplier',
    lot: 'penmarrow#4/PK-3120',
    quantity: 150,
    description: 'Flash on the skirt of one bag of dropper inserts.',
    cause: 'Dropper defect',
    action: 'Bag rejected.',
    status: 'closed',
    from: { receiving_inspection_id: 'receipt:penmarrow#4' },
  },
  {
    day: -111,
    source: 'customer',
    lot: 'bottle#8/FG-4610',
    quantity: 3,
    description: 'Three bottles of calendula oil cloudy with a smell of yeast.',
    action: 'Retained sample sent to the laboratory.',
    status: 'in_review',
    from: { complaint_id: 'complaint:3' },
  },
  {
    day: -85,
    source: 'internal',
    lot: 'brackwell#3/RM-1130',
    quantity: 10,
    description: 'Foreign matter 3.4 % in calendula petals, limit 2.0 %.',
    cause: 'Contamination',
    action: 'Lot locked, supplier asked for a second sieving.',
    status: 'in_review',
    from: { lab_result_id: 'lab:brackwell#3/RM-1130@4' },
  },
  {
    day: -80,
    source: 'supplier',
    lot: 'oxmere#2/RM-1030',
    quantity: 25,
    description: 'One bag of sunflower seed torn.',
    cause: 'Broken in transit',
    action: 'Rejected.',
    status: 'closed',
    from: { receiving_inspection_id: 'receipt:oxmere#2' },
  },
  {
    day: -63,
    source: 'internal',
    lot: 'bottle#8/FG-4610',
    quantity: 120,
    description: 'Aerobic count 1800 cfu/g after three months, limit 1000.',
    cause: 'Contamination',
    action: 'Shipments of the lot traced, recall being judged.',
    status: 'open',
    from: { lab_result_id: 'lab:bottle#8/FG-4610@90' },
  },
  {
    day: -50,
    source: 'internal',
    lot: 'karsholt#8/PK-3020',
    quantity: 600,
    description: 'Neck outer diameter 31.53 mm on one bottle; accepted by concession.',
    cause: 'Dimension out of limits',
    action: 'Capping torque watched during the run.',
    status: 'closed',
    from: { inspection_id: 'inspection:karsholt#8/PK-3020' },
  },
  {
    day: -46,
    source: 'internal',
    lot: 'bottle#16/FG-4310',
    quantity: 360,
    description: 'Free fatty acids 2.31 % at release, limit 2.0 %.',
    action: 'Lot locked, tank sampled again.',
    status: 'open',
    from: { lab_result_id: 'lab:bottle#16/FG-4310@3' },
  },
  {
    day: -25,
    source: 'customer',
    lot: 'bottle#15/FG-4020',
    quantity: 6,
    description: 'Six bottles arrived with oil under the closure.',
    status: 'open',
    from: { complaint_id: 'complaint:8' },
  },
  {
    day: -19,
    source: 'supplier',
    lot: 'valdorine#3/BO-2060',
    quantity: 200,
    description: 'Seal of one drum of olive oil broken on arrival.',
    cause: 'Broken in transit',
    status: 'open',
    from: { receiving_inspection_id: 'receipt:valdorine#3' },
  },
  {
    day: -16,
    source: 'internal',
    lot: 'press#11/BO-2050',
    quantity: 80,
    description: 'Peroxide value 11.8 meq/kg in the rapeseed tank, limit 10.',
    status: 'open',
    from: { lab_result_id: 'lab:press#11/BO-2050@30' },
  },
];

/** Each report is opened, and moves on to where it stands today. */
export function nonConformanceSteps(): Step[] {
  return ncrs.flatMap(ncrSteps);
}

function ncrSteps(ncr: SampleNcr, index: number): Step[] {
  const { day, status } = ncr;
  const key = `ncr:${index + 1}`;
  const opening: Step = {
    day,
    title: `Non-conformance report ${index + 1}`,
    run: site => open(site, ncr, index + 1),
  };
  if (status === 'open') return [opening];
  const title = `Non-conformance report ${index + 1} goes on`;
  const progress = (after: number, body: Record<string, unknown>) =>
    updateStep(Math.min(day + after, -1), title, 'ncr', key, body);
  const review = progress(3, {
    status: 'in_review',
    is_root_cause_determined: true,
    has_incomplete_action_items: true,
  });
  const close = progress(24, {
    status: 'closed',
    has_incomplete_action_items: false,
    reason: 'Action done and looked at again.',
  });
  return status === 'closed' ? [opening, review, close] : [opening, review];
}

async function open(site: Site, ncr: SampleNcr, number: number): Promise<void> {
  const lot = ncr.lot === undefined ? undefined : site.lot(ncr.lot);
  const from = Object.entries(ncr.from ?? {}).map(([field, key]) => [field, site.idOf(key)]);
  await site.create(
    'ncr',
    {
      ncr_number: `${site.series}NCR-${number}`,
      source: ncr.source,
      date_opened: site.calendar.workday(ncr.day),
      description: ncr.description,
      has_unread_notes: ncr.status === 'open',
      ...(ncr.action && { immediate_action: ncr.action }),
      ...(ncr.cause && { error_code_id: site.idOf(`error-code:${ncr.cause}`) }),
      ...(ncr.quantity !== undefined && { quantity: ncr.quantity }),
      ...(lot && { lot_number: lot.number, part_id: site.idOf(`part:${lot.part}`), inventory_id: lot.id }),
      ...Object.fromEntries(from),
    },
    `ncr:${number}`,
  );
}
