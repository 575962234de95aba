import type { ListCondition, SortKey } from './list-conditions.ts';

export interface PageRequest {
  page: number;
  perPage: number;
  /** Newest first: by id, the highest first. */
  isNewestFirst?: boolean;
  filters?: Record<string, string | number>;
  keyword?: string | null;
  /** Only those that were written here at this moment or later (milliseconds since 1970), and up to a minute before. */
  since?: number | undefined;
  /** All of them must hold. */
  conditions?: readonly ListCondition[];
  /** What comes before the order of id. */
  sort?: readonly SortKey[];
}

/** What narrows a list. */
export type Narrowing = Pick<PageRequest, 'filters' | 'keyword' | 'since' | 'conditions'>;

export function isNarrowed({ filters = {}, keyword, since, conditions = [] }: Narrowing): boolean {
  return Object.keys(filters).length > 0 || Boolean(keyword) || since !== undefined || conditions.length > 0;
}
