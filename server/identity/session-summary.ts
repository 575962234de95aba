/** A session as its user sees it. */
export interface SessionSummary {
  /** By which the trail names it as well. */
  id: string;
  hash: string;
  /** Where it began; null: not noted, as by earlier versions. */
  address: string | null;
  agent: string | null;
  began_at: string;
  used_at: string;
  ends_at: string;
  is_locked: boolean;
}
