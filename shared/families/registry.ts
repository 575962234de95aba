import type { Family } from '../contract/define-family.ts';
import { adjustment } from './adjustment.ts';
import { auditEvent } from './audit-event.ts';
import { auditReview } from './audit-review.ts';
import { car } from './car.ts';
import { certificate } from './certificate.ts';
import { certificateWithdrawal } from './certificate-withdrawal.ts';
import { company } from './company.ts';
import { complaint } from './complaint.ts';
import { correction } from './correction.ts';
import { customer } from './customer.ts';
import { equipment } from './equipment.ts';
import { errorCode } from './error-code.ts';
import { inspection } from './inspection.ts';
import { inspectionPlan } from './inspection-plan.ts';
import { inventory } from './inventory.ts';
import { labResult } from './lab-result.ts';
import { location } from './location.ts';
import { move } from './move.ts';
import { ncr } from './ncr.ts';
import { order } from './order.ts';
import { part } from './part.ts';
import { partType } from './part-type.ts';
import { purchaseOrder } from './purchase-order.ts';
import { receivingInspection } from './receiving-inspection.ts';
import { samplingRuling } from './sampling-ruling.ts';
import { setting } from './setting.ts';
import { sharedView } from './shared-view.ts';
import { shipment } from './shipment.ts';
import { signature } from './signature.ts';
import { specification } from './specification.ts';
import { stockCount } from './stock-count.ts';
import { supplier } from './supplier.ts';
import { user } from './user.ts';

/** Every record family. A new one is one file and one line here. */
export const families = {
  supplier,
  inventory,
  ncr,
  order,
  part,
  inspection,
  car,
  shipment,
  specification,
  'lab-result': labResult,
  complaint,
  'receiving-inspection': receivingInspection,
  'part-type': partType,
  company,
  customer,
  location,
  'error-code': errorCode,
  equipment,
  adjustment,
  move,
  'inspection-plan': inspectionPlan,
  'purchase-order': purchaseOrder,
  'stock-count': stockCount,
  'sampling-ruling': samplingRuling,
  'shared-view': sharedView,
  setting,
  user,
  signature,
  correction,
  certificate,
  'certificate-withdrawal': certificateWithdrawal,
  'audit-event': auditEvent,
  'audit-review': auditReview,
} as const satisfies Record<string, Family>;

export type FamilyName = keyof typeof families;

const byEveryName = new Map<string, Family>(
  Object.values<Family>(families).flatMap(family => [
    [family.name, family],
    [family.path.slice(1), family],
  ]),
);

/** The family of that name or path (`supplier` or `suppliers`); undefined when there is none. */
export function familyOf(name: string): Family | undefined {
  return byEveryName.get(name);
}

/** The family of a record's key, as `supplier:12`; undefined where this version knows none of that name. */
export function familyOfKey(key: string): Family | undefined {
  const name = key.slice(0, key.lastIndexOf(':'));
  const found = byEveryName.get(name);
  return found?.name === name ? found : undefined;
}

export function family(name: FamilyName): Family {
  return families[name];
}
