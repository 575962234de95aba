import { isAbsolute } from 'node:path';
import { dateIn, isTimeZone } from '../../shared/contract/dates.ts';
import { SETTING_DEFAULTS } from '../../shared/families/setting.ts';
import type { Rule, UnitOfWork } from '../store/unit-of-work.ts';
import type { Reads } from './lot-state.ts';

export const SETTING_ID = 1;

export interface SiteSettings {
  time_zone: string;
  expiry_soon_days: number;
  /** Null: none but the data folder. */
  backup_folder: string | null;
  backup_keep: number;
  /** 0: never. */
  idle_lock_minutes: number;
  is_esignature_required: boolean;
  is_esignature_reason_required: boolean;
}

/** The site's settings; defaults until somebody changes one. */
export function siteSettings(records: Pick<Reads['records'], 'get'>): SiteSettings {
  return { ...SETTING_DEFAULTS, ...records.get('setting', SETTING_ID)?.fields };
}

/** The calendar day at the site (interface decisions, 3: what "today" is). */
export function todayOf(records: Pick<Reads['records'], 'get'>, now: string): string {
  return dateIn(siteSettings(records).time_zone, now);
}

export function plannedToday(work: UnitOfWork): string {
  return todayOf(work, work.at);
}

export const settings: Rule = (work, change) => {
  const { time_zone: zone, backup_folder: folder } = change.fields;
  if (typeof zone === 'string' && !isTimeZone(zone)) {
    work.blame('time_zone', `"${zone}" is not a time zone. Give an IANA name such as Europe/Berlin.`);
  }
  if (typeof folder === 'string' && folder !== '' && !isAbsolute(folder)) {
    const message = `"${folder}" is not a whole path. Give it from the root, such as /mnt/usb.`;
    work.blame('backup_folder', message);
  }
};
