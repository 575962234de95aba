import { hash } from 'node:crypto';
import { canonicalJson } from '../../shared/contract/canonical-json.ts';
import type { StoredRecord } from '../../shared/contract/present.ts';
import { RECALL_FORMAT, RECALL_VERSION, type RecallPackage } from '../../shared/operations/recall-package.ts';
import type { Commit } from '../store/changes.ts';
import { mapOf } from '../store/changes.ts';
import { isHistoryMissing, placeOf } from '../store/earlier-history.ts';
import { isExchanging, knownSince, lastSequence, readHistoryOf } from '../store/history.ts';
import { yieldingToEventLoop } from '../store/yield-to-event-loop.ts';
import { type AroundLot, groups, type TraceReads } from './around-lot.ts';
import type { Traced } from './trace.ts';

/** Commits of one record at most: the newest. */
const COMMIT_LIMIT = 500;

/**
 * Everything that stands around a lot or a part, whole and with its history, so that another can check it offline: the
 * records of the trace, those that they name (suppliers, customers, templates, places, orders), signatures, and every commit that
 * wrote them.
 */
export async function recallPackage(
  reads: TraceReads,
  { trace, subject, around }: Traced,
  made: { station: string; user: string; authority: Signing },
): Promise<RecallPackage> {
  const keys = concerned(reads, subject, around).map(({ key }) => key);
  const { records, history, cut } = await gathered(reads, keys);
  const leftOut = [
    ...trace.left_out.map(({ group, shown, total }) => `${group}: ${shown} of ${total} are here`),
    ...cut,
  ];
  const content: Omit<RecallPackage, 'package_sha256' | 'signed'> = {
    format: RECALL_FORMAT,
    format_version: RECALL_VERSION,
    subject: subject.key,
    title: trace.subject.title,
    made_at: reads.now,
    made_by: made.user,
    station: made.station,
    is_exchanging: isExchanging(reads.sql),
    left_out: leftOut,
    trace: section(trace, 1),
    records: section(
      records.map(({ key, version, state, fields, created_at, updated_at, station, user }) => ({
        key,
        version,
        state,
        fields,
        created_at,
        updated_at,
        station,
        user,
      })),
      records.length,
    ),
    history: section(history.map(asJson), history.length),
  };
  const unsealed = { ...content, signed: signedBy(made, sha256Of(content)) };
  return { ...unsealed, package_sha256: sha256Of(unsealed) };
}

/** By which the installation signs. */
export interface Signing {
  key: string;
  sign(text: string): string;
}

function signedBy({ station, authority }: { station: string; authority: Signing }, sha256: string) {
  const says = 'holdpoint: recall package' as const;
  const said = { says, installation: station, key: authority.key, sha256 };
  return { ...said, signature: authority.sign(canonicalJson(said)) };
}

interface Gathered {
  records: StoredRecord[];
  /** In the order of arrival. */
  history: Commit[];
  /** Records whose history is longer than the limit, or not whole here, in words. */
  cut: string[];
}

/**
 * The records and their histories as of one moment. What is written meanwhile would leave a record behind its history,
 * so a pass that was overtaken is made again, the last one without letting anything through.
 */
async function gathered(reads: TraceReads, keys: readonly string[]): Promise<Gathered> {
  for (let passes = 2; ; passes--) {
    const yieldToEventLoop = passes > 0 ? yieldingToEventLoop() : () => undefined;
    const sequence = lastSequence(reads.sql);
    const records: StoredRecord[] = [];
    const commits = new Map<string, { commit: Commit; place: number }>();
    const cut: string[] = [];
    for (const key of keys) {
      await yieldToEventLoop();
      const record = reads.records.getByKey(key);
      if (!record) continue;
      records.push(record);
      const subject = reads.records.subjectNumberOf(key);
      const { total } = readHistoryOf(reads.sql, record, subject, 0, 0);
      const from = Math.max(0, total - COMMIT_LIMIT);
      if (from > 0) cut.push(`history of ${key}: the newest ${COMMIT_LIMIT} of ${total} commits are here`);
      if (isHistoryMissing(reads.sql, record)) cut.push(missing(key, knownSince(reads.sql, key, subject)));
      for (const commit of readHistoryOf(reads.sql, record, subject, from, COMMIT_LIMIT).commits) {
        commits.set(commit.hash, { commit, place: placeOf(reads.sql, commit) });
      }
    }
    if (lastSequence(reads.sql) !== sequence) continue;
    const ordered = [...commits.values()].sort((a, b) => a.place - b.place);
    const history = ordered.map(({ commit }) => commit);
    return { records, history, cut };
  }
}

function missing(key: string, since: string | null): string {
  const what = since === null ? 'changes are missing that' : `what was written before ${since} is missing;`;
  return `history of ${key}: ${what} central has${since === null ? '' : ' it'}`;
}

/** A commit as a plain object, with whatever members a later version gives it. */
function asJson(commit: Commit): RecallPackage['history']['content'][number] {
  const entries = commit.entries.map(entry => ({
    ...entry,
    changes: entry.changes.map(change => ({ ...change })),
  }));
  return { ...commit, entries };
}

/** SHA-256 of the canonical JSON of a value, in hexadecimal digits. */
export function sha256Of(value: unknown): string {
  return hash('sha256', canonicalJson(value));
}

function section<Content>(content: Content, count: number) {
  return { count, sha256: sha256Of(content), content };
}

/** What the records of a trace name, and of the trace's own records all. */
const NAMED: readonly [field: string, family: string][] = [
  ['part_id', 'part'],
  ['supplier_id', 'supplier'],
  ['contact_id', 'customer'],
  ['order_id', 'order'],
  ['purchase_order_id', 'purchase-order'],
  ['plan_id', 'inspection-plan'],
  ['drawing_id', 'specification'],
  ['specification_id', 'specification'],
  ['inspection_id', 'inspection'],
  ['rework_inspection_id', 'inspection'],
  ['lab_result_id', 'lab-result'],
  ['location_id', 'location'],
  ['from_location_id', 'location'],
  ['to_location_id', 'location'],
  ['opening_location_id', 'location'],
  ['error_code_id', 'error-code'],
  ['shipment_id', 'shipment'],
  ['stock_count_id', 'stock-count'],
];

/** The records that a package holds. */
export function concerned(
  { records }: TraceReads,
  subject: StoredRecord,
  around: readonly AroundLot[],
): StoredRecord[] {
  const found = new Map<string, StoredRecord>([[subject.key, subject]]);
  for (const each of around) {
    for (const record of [each.lot, ...groups.flatMap(group => each[group])]) found.set(record.key, record);
  }
  for (const { fields } of [...found.values()]) {
    for (const values of [fields, ...Object.values(mapOf(fields.items)).map(mapOf)]) {
      for (const [field, family] of NAMED) {
        const id = values[field];
        const named = typeof id === 'number' ? records.get(family, id) : undefined;
        if (!named) continue;
        found.set(named.key, named);
        // A pallet with the place where it stands.
        const within = records.get('location', Number(named.fields.within_id ?? 0));
        if (within) found.set(within.key, within);
      }
    }
  }
  for (const { lot } of around) {
    for (const certificate of records.findBy('certificate', 'inventory_id', lot.id)) {
      found.set(certificate.key, certificate);
      for (const withdrawal of records.findBy('certificate-withdrawal', 'certificate_id', certificate.id))
        found.set(withdrawal.key, withdrawal);
    }
  }
  for (const key of [...found.keys()]) {
    for (const signature of records.findBy('signature', 'subject', key)) found.set(signature.key, signature);
  }
  return [...found.values()];
}
