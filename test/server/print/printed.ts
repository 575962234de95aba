import { afterAll } from 'vitest';
import { makePaper, type PaperRequest } from '../../../server/print/make-paper.ts';
import type { Paper } from '../../../server/print/paper.ts';
import { createPrinter, type Printer } from '../../../server/print/printer.ts';
import { committedReads, pickListOf } from '../../../server/quality/pick-list.ts';
import type { Store } from '../../../server/store/store.ts';
import type { StoredRecord } from '../../../shared/contract/present.ts';
import type { FamilyName } from '../../../shared/families/registry.ts';
import { type PaperDocument, paperDocuments } from '../../../shared/operations/paper-operations.ts';
import { contextOf } from '../rules/site.ts';
import { START } from '../store/temporary-store.ts';
import type { PaperSite } from './paper-site.ts';

/** A printer with its real thread, closed after the tests of the file. */
export function testPrinter(): Printer {
  const printer = createPrinter();
  afterAll(() => printer.close());
  return printer;
}

export function recordIn(store: Store, family: FamilyName, id: number): StoredRecord {
  const record = store.records.get(family, id);
  if (!record) throw new Error(`There is no ${family} ${id}.`);
  return record;
}

/** A document of the site's records, printed by Ada at the moment at which the site's clock starts. */
export function paperOf(
  site: PaperSite,
  document: PaperDocument,
  options: Partial<PaperRequest> & { now?: string } = {},
): Paper {
  const ids: Record<PaperDocument, number> = {
    receipt: site.receipt.id,
    'inspection-report': site.inspection,
    certificate: site.lot,
    ncr: site.ncr.id,
    car: site.car.id,
    'packing-list': site.shipment.id,
    'pick-list': site.shipment.id,
    recall: site.lot,
    'part-recall': site.part,
  };
  const record = recordIn(site.store, paperDocuments[document], ids[document]);
  const { now = START, ...wanted } = options;
  return makePaper(contextOf(site.store, now), {
    document,
    record,
    language: 'en',
    user: 'Ada',
    trace: site.traces[document],
    // As it was before it went.
    picks: pickListOf(committedReads(site.store.records, site.store.database.reader, now), {
      ...site.shipment,
      fields: { ...site.shipment.fields, actual_ship_date: undefined },
    }),
    ...wanted,
  });
}
