import type { FamilyName } from '../../shared/families/registry.ts';
import type { Client } from '../../shared/operations/client.ts';
import { createCalendar } from './calendar.ts';
import { companySteps } from './company.ts';
import { complaintSteps } from './complaints.ts';
import { correctionSteps } from './corrections.ts';
import { correctiveActionSteps } from './corrective-actions.ts';
import { customerSteps } from './customers.ts';
import { inspectionPlanSteps } from './inspection-plans.ts';
import { equipmentCheckSteps, inspectionSteps } from './inspections.ts';
import { laboratorySteps } from './laboratory.ts';
import { nonConformanceSteps } from './non-conformances.ts';
import { partSteps } from './parts.ts';
import { placeSteps } from './places.ts';
import { bottlingRuns, pressingRuns, runStep } from './production.ts';
import { purchaseOrderSteps } from './purchase-orders.ts';
import { purchases } from './purchases.ts';
import { receiptSteps } from './receiving.ts';
import { salesSteps } from './sales.ts';
import { createSite, type Step } from './site.ts';
import { smallPackagingSteps } from './small-packaging.ts';
import { supplierSteps } from './suppliers.ts';
import { templateSteps } from './templates.ts';
import { openingSteps } from './warehouse.ts';

const FIRST_DAY = -275;

export interface FillOptions {
  /** `YYYY-MM-DD` at the site: the story ends the day before. */
  today: string;
  /** Before the numbers that must be unique (`B-NCR-1`); empty on a fresh installation. */
  series?: string;
  onProgress?: (progress: Progress) => void;
  /** Ends the story after the step at work; what was written stays. */
  signal?: AbortSignal;
}

export interface Progress {
  /** Steps done. */
  done: number;
  steps: number;
  /** What was done last. */
  title: string;
}

export interface SampleCompany {
  counts: Partial<Record<FamilyName, number>>;
  /** Ids of what is worth a first look, by `template:DW-3020` and the like. */
  idOf(key: string): number;
}

/**
 * Writes the sample company through the interface: nine months of an invented maker of cold-pressed oils, day by day.
 * The same `today` gives the same records. A refused call is a fault of the plan and ends it.
 * @throws Error that names the step, with the refusal as its cause; the signal's reason when it is cancelled
 */
export async function fillSampleCompany(client: Client, options: FillOptions): Promise<SampleCompany> {
  const { today, series = '', onProgress, signal } = options;
  const site = createSite(client, createCalendar(today), series);
  const steps = story(today);
  for (const [index, step] of steps.entries()) {
    signal?.throwIfAborted();
    try {
      await step.run(site);
    } catch (cause) {
      throw new Error(`Step ${index + 1} of ${steps.length}, "${step.title}": ${told(cause)}`, { cause });
    }
    onProgress?.({ done: index + 1, steps: steps.length, title: step.title });
  }
  return { counts: site.counts, idOf: site.idOf };
}

/** Everything that happens, by day; what happens on one day happens in the order of this list. */
function story(today: string): Step[] {
  const calendar = createCalendar(today);
  const deliveries = purchases(calendar);
  const pressed = pressingRuns(calendar);
  const bottled = bottlingRuns(calendar);
  const receipts = [...deliveries, ...pressed, ...bottled];
  const steps = [
    ...companySteps(FIRST_DAY),
    ...supplierSteps(FIRST_DAY),
    ...customerSteps(FIRST_DAY),
    ...partSteps(FIRST_DAY),
    ...templateSteps(FIRST_DAY, -115),
    ...openingSteps(FIRST_DAY),
    ...purchaseOrderSteps(deliveries),
    ...deliveries.flatMap(receiptSteps),
    ...[...pressed, ...bottled].map(runStep),
    ...inspectionSteps(receipts),
    ...smallPackagingSteps(deliveries),
    ...equipmentCheckSteps(),
    ...laboratorySteps(receipts),
    ...salesSteps(),
    ...complaintSteps(),
    ...nonConformanceSteps(),
    ...correctiveActionSteps(),
    ...correctionSteps(),
    ...inspectionPlanSteps(),
    ...placeSteps(FIRST_DAY),
  ];
  return steps.sort((a, b) => a.day - b.day);
}

/** The whole answer of a refusal: its message, code and fields. */
function told(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause);
  const { code, errors } = cause as { code?: unknown; errors?: unknown };
  return [cause.message, code === undefined ? '' : `(${code})`, errors ? JSON.stringify(errors) : '']
    .filter(text => text !== '')
    .join(' ');
}
