import type { Family } from '../../../shared/contract/define-family.ts';
import { lotLocks } from '../../../shared/families/lot-locks.ts';
import { recordTitle } from '../../../shared/families/record-title.ts';
import { families, familyOf } from '../../../shared/families/registry.ts';
import { useFamilyTexts } from './use-family-texts.ts';

const kinds = new Map(Object.values<Family>(families).map(family => [family.title, family]));
const reasons = new Set<string>(Object.values(lotLocks));

/** The present language's words for records, as `recordWords` says. */
export function useRecordWords() {
  return recordWords(useFamilyTexts().word);
}

/**
 * What the server calls records, in the present language. Names and numbers that people gave stay as they are; what it
 * says itself, in English, is a kind with an id ("Inspection 46") and why a lot is locked.
 */
export function recordWords(word: (english: string) => string) {
  const unnamed = (family: Pick<Family, 'title'>, id: number | string) => `${word(family.title)} ${id}`;
  const part = (text: string) => {
    const [, noun = '', id = ''] = /^(.+) (\d{1,16})$/.exec(text) ?? [];
    const family = kinds.get(noun);
    return family ? unnamed(family, id) : text.split('; ').map(reason).join('; ');
  };
  const reason = (text: string) => (reasons.has(text) ? word(text) : text);
  return {
    /** @param name the title that the server gives the record */
    title: (family: string, id: number, name: string) => {
      const kind = familyOf(family);
      return kind && name === recordTitle(kind, { id, fields: {} }) ? unnamed(kind, id) : name;
    },
    /** What tells records of one name apart; null: there is nothing to say. */
    subtitle: (text: string | null) => (text === null ? null : text.split(' · ').map(part).join(' · ')),
    /** Why a lot is locked. */
    reason,
  };
}
