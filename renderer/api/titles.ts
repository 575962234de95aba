import { useMemo } from 'react';
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
  const { data } = useCall<RecordName[]>(
    'x.titles.list',
    { query: { refs: wanted.join(',') } },
    { isEnabled: wanted.length > 0, keepsPrevious: true },
  );
  return useMemo(() => {
    const titles = new Map(data?.data.map(({ family, id, title }) => [`${family}:${id}`, title]));
    return (family, id) => titles.get(`${family}:${id}`);
  }, [data]);
}
