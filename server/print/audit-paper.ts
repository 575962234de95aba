import { auditDetailName } from '../../shared/families/audit-detail-names.ts';
import type { AuditKind } from '../../shared/families/audit-event.ts';
import { AUDIT_KIND_NAMES } from '../../shared/families/audit-kind-names.ts';
import type { AuditEventAnswer } from '../../shared/operations/audit-operations.ts';
import type { Language } from '../../shared/operations/paper-operations.ts';
import type { AnswerContext } from '../rules/answers.ts';
import { FIRST_COMPANY } from '../rules/paperwork.ts';
import { siteSettings } from '../rules/site.ts';
import { facts, table } from './blocks.ts';
import { clockNotice } from './clock-blocks.ts';
import { type Fact, MOST_CELLS, type Paper } from './paper.ts';
import { personOnPaper } from './person.ts';
import { type Words, wordsOf } from './words.ts';

const COLUMNS = 6;
/** Characters of what is particular to an event; files hold all of it. */
const MOST_DETAILS = 400;

/** More events are refused: nobody reads them on paper. */
export const MOST_ON_PAPER = Math.floor(MOST_CELLS / COLUMNS);

export interface AuditPaperRequest {
  from?: string | undefined;
  to?: string | undefined;
  /** What else it was narrowed to, as it was asked for. */
  narrowed: Readonly<Record<string, string>>;
  language: Language;
  /** Who prints it. */
  user: string;
  station: string;
}

/** The system's own trail of a period, as a paper for who reviews it. */
export function makeAuditPaper(
  reading: AnswerContext,
  events: readonly AuditEventAnswer[],
  { from, to, narrowed, language, user, station }: AuditPaperRequest,
): Paper {
  const words = wordsOf(language, siteSettings(reading.records).time_zone);
  const { say } = words;
  const period = say('auditPeriod', {
    from: from === undefined ? say('auditBegin') : words.exactMoment(from),
    to: to === undefined ? say('auditEnd') : words.exactMoment(to),
  });
  const others = Object.entries(narrowed).map(([name, value]) => `${name}: ${value}`);
  return {
    language,
    company: words.text(reading.records.get('company', FIRST_COMPANY)?.fields.name),
    title: say('auditTrail'),
    number: period,
    link: 'holdpoint://audit',
    identity: station,
    printed: say('printed', { user: user.slice(0, 60), at: words.moment(reading.now), zone: words.zone }),
    pageOf: say('page'),
    replaced: say('replaced'),
    at: reading.now,
    blocks: [
      ...clockNotice({ reading, words }),
      facts(
        [say('auditCount'), words.number(events.length)],
        ...(others.length > 0 ? [[say('auditNarrowed'), others.join('; ')] satisfies Fact] : []),
      ),
      table(words, events, [
        ['auditWhen', 3, event => words.exactMoment(event.at ?? '')],
        ['auditWhat', 2, event => kindOf(event, language)],
        ['auditWho', 2, event => whoOf(event, words)],
        ['auditFrom', 2, event => words.text(event.address)],
        ['auditAbout', 2, event => words.text(event.subject)],
        ['auditDetails', 4, event => detailsOf(event, words)],
      ]),
    ],
  };
}

/** One of a later version goes by its own name. */
function kindOf({ kind, count }: AuditEventAnswer, language: Language): string {
  const [english, german] = AUDIT_KIND_NAMES[kind as AuditKind] ?? [kind, kind];
  return `${language === 'de' ? german : english}${count === null ? '' : ` (${count})`}`;
}

function whoOf({ author, author_name: name }: AuditEventAnswer, { say }: Words): string {
  if (author === null) return say('auditMachine');
  return personOnPaper(name, author);
}

function detailsOf({ details, station, station_name: name }: AuditEventAnswer, { language }: Words): string {
  const called = (member: string) => auditDetailName(member, language);
  const said = Object.entries(details).map(([member, value]) => `${called(member)}: ${textOf(value)}`);
  const text = [...said, `${called('station')}: ${name ?? station.slice(0, 8)}`].join('; ');
  return text.length > MOST_DETAILS ? `${text.slice(0, MOST_DETAILS)}…` : text;
}

function textOf(value: unknown): string {
  if (Array.isArray(value)) return value.map(textOf).join(', ');
  const text = value !== null && typeof value === 'object' ? JSON.stringify(value) : String(value);
  // The font has no arrow.
  return text.replaceAll('→', '->');
}
