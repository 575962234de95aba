import type { Collection, Family } from '../../shared/contract/define-family.ts';
import type { Field } from '../../shared/contract/fields.ts';
import { itemsOf, type StoredRecord } from '../../shared/contract/present.ts';
import { recordTitle } from '../../shared/families/record-title.ts';
import type { Language } from '../../shared/operations/paper-operations.ts';
import type { PastAnswer } from '../../shared/operations/past-operations.ts';
import type { AnswerContext } from '../rules/answers.ts';
import { siteSettings } from '../rules/site.ts';
import { facts, heading, notice } from './blocks.ts';
import { clockBlocks } from './clock-blocks.ts';
import { framed } from './make-paper.ts';
import type { Block, Fact, Paper } from './paper.ts';
import type { TextKey } from './texts.ts';
import { type Words, wordsOf } from './words.ts';

export interface PastPaperRequest {
  family: Family;
  /** As of then. */
  record: StoredRecord;
  past: PastAnswer;
  language: Language;
  /** Who prints it. */
  user: string;
  /** What people call this machine, where that is known. */
  station: string | null;
}

/**
 * A record as it was, with its stored fields, on a paper that says as of when, in which meaning and what cannot be known.
 * @throws AppError `conflict` where it is too large to be read on paper
 */
export function makePastPaper(reading: AnswerContext, request: PastPaperRequest): Paper {
  const { family, record, past, language, user, station } = request;
  const words = wordsOf(language, siteSettings(reading.records).time_zone);
  const { say } = words;
  const number = recordTitle(family, record);
  return framed({ reading, words }, record, {
    title: say('past'),
    number,
    link: `holdpoint://${record.family}/${record.id}`,
    identity: `${record.key} · ${say('version', { version: record.version })} · ${record.state.slice(0, 16)}`,
    printed: say('printed', { user: user.slice(0, 60), at: words.moment(reading.now), zone: words.zone }),
    blocks: [
      notice('wrong', [say('pastNotNow'), meaningOf(words, past, station)].join(' ')),
      ...past.notes.map(note => notice('plain', say(noteTexts[note]))),
      facts(
        [say('pastRecord'), `${family.title}: ${number}`],
        [say('pastLastChange'), `${words.exactMoment(record.updated_at)} · ${record.user}`],
        ...factsOf(words, family.fields, record.fields),
      ),
      ...Object.entries(family.collections).flatMap(([name, collection]) =>
        itemBlocks(words, collection, record.fields[name]),
      ),
      ...clockBlocks({ reading, words }, [record.key]),
    ],
  });
}

const noteTexts = {
  more_may_come: 'pastMoreMayCome',
  not_sent_yet: 'pastNotSent',
  clock_corrected: 'pastClock',
  changed_since: 'pastChanged',
} as const satisfies Record<PastAnswer['notes'][number], TextKey>;

function meaningOf({ say, exactMoment, zone }: Words, past: PastAnswer, station: string | null): string {
  if (past.at === null) return say('pastPlace', { place: past.place ?? 0 });
  const at = { at: exactMoment(past.at), zone };
  if (past.meaning === 'moment') return say('pastMoment', at);
  return station === null ? say('pastHere', at) : say('pastHereAt', { ...at, station });
}

function itemBlocks(words: Words, collection: Collection, stored: unknown): Block[] {
  return itemsOf(collection, stored).flatMap((item, index) => [
    heading(`${collection.title} ${index + 1}`),
    facts(...factsOf(words, collection.fields, item)),
    ...Object.entries(collection.collections).flatMap(([name, nested]) =>
      itemBlocks(words, nested, item[name]),
    ),
  ]);
}

/** The stored ones: what else an answer has is worked out from what stands now. */
function factsOf(
  words: Words,
  fields: Readonly<Record<string, Field>>,
  values: Readonly<Record<string, unknown>>,
): Fact[] {
  return Object.entries(fields).flatMap(([name, field]): Fact[] => {
    const value = values[name];
    const isSaid = field.source === 'fields' && value !== undefined && value !== null && value !== '';
    return isSaid ? [[field.label, shownValue(words, field, value)]] : [];
  });
}

function shownValue(words: Words, { kind }: Field, value: unknown): string {
  if (kind === 'boolean') return words.flag(value);
  if (kind === 'date') return words.date(value);
  if (kind === 'timestamp' && typeof value === 'string') return words.exactMoment(value);
  if (typeof value === 'number') return kind === 'reference' ? String(value) : words.number(value);
  return typeof value === 'string' ? value : JSON.stringify(value);
}
