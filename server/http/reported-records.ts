import type { Family } from '../../shared/contract/define-family.ts';
import type { StoredRecord } from '../../shared/contract/present.ts';
import { type FamilyName, family as familyNamed, familyOfKey } from '../../shared/families/registry.ts';
import { collectionsOf } from '../../shared/operations/family-operations.ts';
import { reportedFields } from '../reports/report-shape.ts';
import type { ReportedAnswer, ReportedChanges, ReportSource } from '../reports/report-source.ts';
import type { AnswerContext } from '../rules/answers.ts';
import { ChangeFeed, type FeedPlace } from '../store/change-feed.ts';
import type { Store } from '../store/store.ts';
import { inTurns, yieldingToEventLoop } from '../store/yield-to-event-loop.ts';
import { oneAnswer } from './handlers/family.ts';
import { tellStep } from './told-changes.ts';

/** Whose answers a change reaches is named record by record up to here; beyond it the whole family is written again. */
const NAMED = 1_000;

/** Records as `/x/changes` answers them, for reports in SQL. */
export function reportedRecords(
  { database, records, gate }: Pick<Store, 'database' | 'records' | 'gate'>,
  reading: () => AnswerContext,
): ReportSource {
  const feed = new ChangeFeed(database.reader, () => gate.chain);
  const reads = { records, sql: database.reader, named: NAMED };

  async function after(from: FeedPlace, limit: number): Promise<ReportedChanges | undefined> {
    const goOn = yieldingToEventLoop();
    const keys = new Set<string>();
    const families = new Set<FamilyName>();
    let place = from;
    for (;;) {
      const steps = await inTurns(feed.after(place), goOn);
      if (steps.length === 0)
        return place === from ? undefined : { keys: [...keys], families: [...families], place };
      for (const step of steps) {
        for (const told of tellStep(reads, step, place)) {
          place = told.place;
          for (const { family, id } of told.changes) {
            if (id === null) families.add(family);
            else keys.add(`${family}:${id}`);
          }
          if (keys.size >= limit) return { keys: [...keys], families: [...families], place };
          const others = goOn();
          if (others) await others;
        }
      }
    }
  }

  /** Each in its turn: others are answered in between. */
  async function answered(found: Iterable<StoredRecord>, family: (record: StoredRecord) => Family) {
    const goOn = yieldingToEventLoop();
    const context = reading();
    const answers: [key: string, ReportedAnswer][] = [];
    for (const record of found) {
      const of = family(record);
      const options = { fields: reportedFields(of), collections: collectionsOf(of, 'any') };
      answers.push([record.key, { id: record.id, answer: oneAnswer(of, context, record, options) }]);
      const others = goOn();
      if (others) await others;
    }
    return answers;
  }

  return {
    end: () => feed.end(),
    cursorOf: place => feed.cursorOf(place),
    placeOf: cursor => feed.placeOf(cursor),
    after,
    async answers(keys) {
      const found = keys.flatMap(key => (familyOfKey(key) && records.getByKey(key)) ?? []);
      return new Map(await answered(found, ({ family }) => familyNamed(family as FamilyName)));
    },
    async from(name, id, limit) {
      const family = familyNamed(name);
      const found = await answered(first(records.all(name, id), limit), () => family);
      return found.map(([, answer]) => answer);
    },
  };
}

function* first(records: Iterable<StoredRecord>, limit: number): Generator<StoredRecord> {
  let count = 0;
  for (const record of records) {
    yield record;
    count += 1;
    if (count === limit) return;
  }
}
