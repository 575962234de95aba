/** Views that one person keeps of all lists. */
export const MOST_VIEWS = 200;

/** A list as somebody wants to see it again. */
export interface ListView {
  name: string;
  /** Conditions, order and search, as a query. */
  address: string;
  /** Null: the usual ones. */
  columns: string[] | null;
  /** When it was kept, ISO 8601 UTC. */
  at: string;
}
