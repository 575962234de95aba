import { type Site, type Step, updateStep } from './site.ts';
import { tableRows } from './table-rows.ts';

/** NCR-1 is the first: the lot by the receipt that brought it, the cause once it is known, keys of what it came from, and where it stands today. */
const ncrs = tableRows(
  ['day', 'source', 'status', 'lot', 'quantity', 'cause', 'from', 'description', 'action'],
  `
  -194 | supplier | closed | karsholt#2/PK-3010 | 36 | Broken in transit | receipt:karsholt#2 | One layer of 100 ml bottles broken in transit. | Rejected at the dock, credit note asked for.
  -191 | supplier | closed | tillerfield#1/RM-1010 | 50 | Broken in transit | receipt:tillerfield#1 | Two bags of linseed wet through a torn tarpaulin. | Bags rejected, the rest probed for moisture.
  -146 | internal | in_review | karsholt#4/PK-3020 | 600 | Dimension out of limits | receipt:karsholt#4 inspection:karsholt#4/PK-3020 | Wall thickness below 1.1 mm on two of five bottles. | Lot locked and labelled, supplier informed.
  -145 | supplier | closed | penmarrow#3/PK-3110 | 1200 | Leaking closure | receipt:penmarrow#3 inspection:penmarrow#3/PK-3110 | Opening torque below 1.1 N.m on three of five closures. | Whole lot goes back to the supplier.
  -140 | internal | in_review | bottle#9/FG-4010 | 300 | Short delivery | inspection:bottle#9/FG-4010 | Net content below 248 ml on the last bottles of the run. | Lot locked until every bottle has been weighed.
  -120 | internal | closed |  |  |  | inspection:torque-tester#4 | Torque tester TT-1 reads 4 % high at 1.5 N.m. | Tester adjusted; closures since the last good check tried again.
  -117 | supplier | closed | penmarrow#4/PK-3120 | 150 | Dropper defect | receipt:penmarrow#4 | Flash on the skirt of one bag of dropper inserts. | Bag rejected.
  -111 | customer | in_review | bottle#8/FG-4610 | 3 |  | complaint:3 | Three bottles of calendula oil cloudy with a smell of yeast. | Retained sample sent to the laboratory.
  -85 | internal | in_review | brackwell#3/RM-1130 | 10 | Contamination | lab:brackwell#3/RM-1130@4 | Foreign matter 3.4 % in calendula petals, limit 2.0 %. | Lot locked, supplier asked for a second sieving.
  -80 | supplier | closed | oxmere#2/RM-1030 | 25 | Broken in transit | receipt:oxmere#2 | One bag of sunflower seed torn. | Rejected.
  -63 | internal | open | bottle#8/FG-4610 | 120 | Contamination | lab:bottle#8/FG-4610@90 | Aerobic count 1800 cfu/g after three months, limit 1000. | Shipments of the lot traced, recall being judged.
  -50 | internal | closed | karsholt#8/PK-3020 | 600 | Dimension out of limits | inspection:karsholt#8/PK-3020 | Neck outer diameter 31.53 mm on one bottle; accepted by concession. | Capping torque watched during the run.
  -46 | internal | open | bottle#16/FG-4310 | 360 |  | lab:bottle#16/FG-4310@3 | Free fatty acids 2.31 % at release, limit 2.0 %. | Lot locked, tank sampled again.
  -25 | customer | open | bottle#15/FG-4020 | 6 |  | complaint:8 | Six bottles arrived with oil under the closure. |
  -19 | supplier | open | valdorine#3/BO-2060 | 200 | Broken in transit | receipt:valdorine#3 | Seal of one drum of olive oil broken on arrival. |
  -16 | internal | open | press#11/BO-2050 | 80 |  | lab:press#11/BO-2050@30 | Peroxide value 11.8 meq/kg in the rapeseed tank, limit 10. |
`,
);
type SampleNcr = (typeof ncrs)[number];

/** The field for what a report came from, by how its key begins. */
const origins: Readonly<Record<string, string>> = {
  receipt: 'receiving_inspection_id',
  inspection: 'inspection_id',
  lab: 'lab_result_id',
  complaint: 'complaint_id',
};

/** Each report is opened, and moves on to where it stands today. */
export function nonConformanceSteps(): Step[] {
  return ncrs.flatMap(ncrSteps);
}

function ncrSteps(ncr: SampleNcr, index: number): Step[] {
  const { status } = ncr;
  const day = Number(ncr.day);
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
  const lot = ncr.lot === '' ? undefined : site.lot(ncr.lot);
  const from = ncr.from.split(' ').map(key => [origins[key.split(':', 1)[0] ?? ''], site.idOf(key)]);
  await site.create(
    'ncr',
    {
      ncr_number: `${site.series}NCR-${number}`,
      source: ncr.source,
      date_opened: site.calendar.workday(Number(ncr.day)),
      description: ncr.description,
      has_unread_notes: ncr.status === 'open',
      ...(ncr.action && { immediate_action: ncr.action }),
      ...(ncr.cause && { error_code_id: site.idOf(`error-code:${ncr.cause}`) }),
      ...(ncr.quantity && { quantity: Number(ncr.quantity) }),
      ...(lot && { lot_number: lot.number, part_id: site.idOf(`part:${lot.part}`), inventory_id: lot.id }),
      ...Object.fromEntries(from),
    },
    `ncr:${number}`,
  );
}
