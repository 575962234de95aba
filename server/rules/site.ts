import { dateIn } from '../../shared/contract/dates.ts';
import { SETTING_DEFAULTS } from '../../shared/families/setting.ts';
import type { SigningSettings } from '../../shared/families/signatures-due.ts';
import type { UnitOfWork } from '../store/unit-of-work.ts';
import type { Reads } from './lot-state.ts';

export const SETTING_ID = 1;

export interface SiteSettings extends SigningSettings {
  time_zone: string;
  expiry_soon_days: number;
  /** 0: never. */
  idle_lock_minutes: number;
  /** 0: never. */
  audit_review_days: number;
  is_receiving_blind: boolean;
  is_strict: boolean;
  /** 0: never. */
  password_max_days: number;
}

/** The site's settings; defaults until somebody changes one. */
export function siteSettings(records: Pick<Reads['records'], 'get'>): SiteSettings {
  const fields = records.get('setting', SETTING_ID)?.fields ?? {};
  const known = Object.entries(fields).filter(([name]) => name in SETTING_DEFAULTS);
  return { ...SETTING_DEFAULTS, ...Object.fromEntries(known) };
}

/** The calendar day at the site (interface decisions, 3: what "today" is). */
export function todayOf(records: Pick<Reads['records'], 'get'>, now: string): string {
  return dateIn(siteSettings(records).time_zone, now);
}

export function plannedToday(work: Pick<UnitOfWork, 'get' | 'at'>): string {
  return todayOf(work, work.at);
}
