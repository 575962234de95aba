import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useRecordWords } from '../i18n/families/use-record-words.ts';
import { useCall } from './calls.ts';

/** What a record is called, in short: of `x.titles.list`, `x.find.list` and the references. */
export interface RecordName {
  family: string;
  id: number;
  title: string;
  subtitle: string | null;
}

const MOST = 200;

/** What the records are called (`supplier:12` → Acme), for showing references. One call for all of a screen. */
export function useTitles(refs: readonly string[]): (family: string, id: unknown) => string | undefined {
  const wanted = [...new Set(refs)].sort().slice(0, MOST);
  const { data } = useCall(
    'x.titles.list',
    { query: { refs: wanted.join(',') } },
    { isEnabled: wanted.length > 0, keepsPrevious: true },
  );
  const { i18n } = useTranslation();
  const words = useRecordWords();
  // biome-ignore lint/correctness/useExhaustiveDependencies: words are new with every drawing, and others with the language
  return useMemo(() => {
    const titles = new Map(
      data?.data.map(({ family, id, title }) => [`${family}:${id}`, words.title(family, id, title)]),
    );
    return (family, id) => titles.get(`${family}:${id}`);
  }, [data, i18n.language]);
}
