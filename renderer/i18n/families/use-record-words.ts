import type { Family } from '../../../shared/contract/define-family.ts';
import { lotLocks } from '../../../shared/families/lot-locks.ts';
import { recordTitle } from '../../../shared/families/record-title.ts';
import { families, familyOf } from '../../../shared/families/registry.ts';
import { useAuthorName } from '../author-name.ts';
import { useFormats } from '../formats.ts';
import { useFamilyTexts } from './use-family-texts.ts';

const kinds = new Map(Object.values<Family>(families).map(family => [family.title, family]));
const reasons = new Set<string>(Object.values(lotLocks));

/** The present language's words for records, as `recordWords` says. */
export function useRecordWords() {
  const { word } = useFamilyTexts();
  const { day } = useFormats();
  return recordWords({ word, day, author: useAuthorName() });
}

interface Words {
  word: (english: string) => string;
  day: (day: string) => string;
  author: (user: string) => string;
}

/** As the server names a record within a text. */
const SUBJECT = /^([a-z-]{1,40}):([1-9]\d{0,15})$/;
const A_DAY = /^\d{4}-\d{2}-\d{2}$/;

/**
 * What the server calls records, in the present language. Names and numbers that people gave stay as they are; what it
 * says itself, in English, is a kind with an id ("Inspection 46"), another record ("inspection:46") and why a lot is locked.
 */
export function recordWords({ word, day, author }: Words) {
  const unnamed = (family: Pick<Family, 'title'>, id: number | string) => `${word(family.title)} ${id}`;
  const part = (text: string) => {
    const [, noun = '', id = ''] = /^(.+) (\d{1,16})$/.exec(text) ?? [];
    const [, name = '', number = ''] = SUBJECT.exec(text) ?? [];
    const subject = familyOf(name);
    if (subject) return unnamed(subject, number);
    const family = kinds.get(noun);
    return family ? unnamed(family, id) : author(text.split('; ').map(reason).join('; '));
  };
  // A family's day comes after its names: a lot's number that looks like one is none.
  const detailsOf = (family: string, text: string) => {
    const details = text.split(' · ');
    const dayAt = endsWithDay(familyOf(family)) ? details.findLastIndex(each => A_DAY.test(each)) : -1;
    return details.map((detail, index) => (index === dayAt ? day(detail) : part(detail)));
  };
  const reason = (text: string) => (reasons.has(text) ? word(text) : text);
  return {
    /** @param name the title that the server gives the record */
    title: (family: string, id: number, name: string) => {
      const kind = familyOf(family);
      return kind && name === recordTitle(kind, { id, fields: {} }) ? unnamed(kind, id) : name;
    },
    /** What tells records of one name apart; null: there is nothing to say. */
    subtitle: (family: string, text: string | null) =>
      text === null ? null : detailsOf(family, text).join(' · '),
    /** Why a lot is locked. */
    reason,
  };
}

function endsWithDay(family: Family | undefined): boolean {
  return family?.fields[family.detailFields.at(-1) ?? '']?.kind === 'date';
}
