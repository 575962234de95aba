import { z } from 'zod';
import { isTimeZone } from '../contract/dates.ts';
import { defineFamily } from '../contract/define-family.ts';
import { textSchema } from '../contract/field-schemas.ts';
import { choice, flag, integer, json, text, textList, withInput } from '../contract/fields.ts';
import { deviationsInput, deviationsSchema } from './signature-policy.ts';

/**
 * The site's settings, one record with id 1: at a central from its first start, else once somebody changed a setting. In a
 * fleet they are central's.
 */
export const setting = defineFamily({
  name: 'setting',
  title: 'Settings',
  plural: 'Settings',
  path: '/settings',
  description: "The site's settings.",
  fields: {
    time_zone: timeZone('What "today" is: an IANA name such as Europe/Berlin. Default UTC.'),
    expiry_soon_days: integer({
      minimum: 0,
      maximum: 3_650,
      description: 'A lot expires soon within these days. Default 30.',
    }),
    idle_lock_minutes: integer({
      minimum: 0,
      maximum: 1_440,
      description: 'A signed-in session locks after so many minutes without use; 0: never. Default 15.',
    }),
    esignature_policy: choice(['none', 'gxp'], {
      label: 'Signature policy',
      description:
        'Which acts are signed with password and reason. none: only what is_esignature_required says; gxp: verdicts, dispositions, closings, approvals, releases, acceptances, shipments, decisions of conflicts and these settings. Default none.',
    }),
    esignature_deviations: json(
      () => ({ input: deviationsInput, output: deviationsSchema, request: deviationsSchema }),
      {
        label: 'Deviations from the policy',
        absent: {},
        description:
          'Kinds of act of which the site asks something else than its policy: whether it is signed, with a reason, by a second person. What is given replaces all that was. Default none.',
      },
    ),
    audit_review_days: integer({
      label: 'Review of the audit trail',
      minimum: 0,
      maximum: 366,
      description:
        'So many days after what was reviewed last the next review of the audit trail is due; 0: never. Default 0.',
    }),
    is_receiving_blind: flag({
      label: 'Blind receipts',
      description:
        'The dock is not told how much of an order is expected, so that everything is counted. Default false.',
    }),
    is_strict: flag({
      label: 'Strict names',
      description:
        'Whether operations under /x/ refuse names that they do not know to programs that say nothing of it (Prefer: handling). Default false.',
    }),
    password_max_days: integer({
      label: 'Age of passwords',
      minimum: 0,
      maximum: 3_650,
      description:
        'So many days after it was set a password is changed at the next sign-in; 0: never. Default 0.',
    }),
    is_esignature_required: flag({
      description: "Whether an NCR's update needs the signer's password. Default false.",
    }),
    is_esignature_reason_required: flag({
      description: 'Whether a signature needs a reason. Default false.',
    }),
  },
  operations: { isAdministrative: true },
  columns: [
    'time_zone',
    'expiry_soon_days',
    'idle_lock_minutes',
    'esignature_policy',
    'esignature_deviations',
    'audit_review_days',
    'is_receiving_blind',
    'is_strict',
    'password_max_days',
    'is_esignature_required',
    'is_esignature_reason_required',
  ],
  rules: ['noting-settings'],
  may: { create: 'administrator', change: 'administrator' },
  writer: 'central',
});

function timeZone(description: string) {
  return withInput(text({ description }), () =>
    textSchema(100).refine(isTimeZone, {
      error: ({ input }) => `"${input}" is not a time zone. Give an IANA name such as Europe/Berlin.`,
    }),
  );
}

/** As a browser says it: scheme, host and a port that is not the scheme's own; no path, and no placeholder. */
function isOrigin(given: string): boolean {
  const url = URL.parse(given);
  return (
    url !== null && /^https?:$/.test(url.protocol) && url.origin === given && !url.hostname.includes('*')
  );
}

function webOrigins(description: string) {
  return withInput(textList({ label: 'Pages of other servers', description }), () => {
    const origin = textSchema(300).refine(isOrigin, {
      error: ({ input }) =>
        `"${input}" is not an origin. Give scheme, host and port as a browser's address has them, without a path, such as https://mes.example:8443.`,
    });
    return z.array(origin, 'This is not a list. Give a list of origins.').max(20, 'At most 20 origins.');
  });
}

export const SETTING_DEFAULTS = {
  time_zone: 'UTC',
  expiry_soon_days: 30,
  idle_lock_minutes: 15,
  esignature_policy: 'none',
  esignature_deviations: {},
  audit_review_days: 0,
  is_receiving_blind: false,
  is_strict: false,
  password_max_days: 0,
  is_esignature_required: false,
  is_esignature_reason_required: false,
} as const;

/** What belongs to one machine: kept there, in no record, and changed by an administrator of that machine. */
export const machineSetting = {
  fields: {
    backup_folder: text({
      label: 'Backup folder',
      description:
        'Where backups of this machine go: the whole path of a folder on another disk or machine. Default: the data folder, with a warning.',
    }),
    backup_keep: integer({
      label: 'Backup keep',
      minimum: 1,
      maximum: 10_000,
      description:
        'How many backups of this machine stay; each day one is made and the oldest beyond these is removed. Default 14.',
    }),
    backup_drill_days: integer({
      label: 'Practise a restore',
      minimum: 0,
      maximum: 3_660,
      description:
        'So many days after a restore was practised it is due again: plain backups are practised by themselves, encrypted ones by somebody with the key; 0: never. Default 31.',
    }),
    is_backup_plain: flag({
      label: 'Backups stay plain',
      description: 'Backups of this machine stay plain on purpose, and nobody is reminded of it.',
    }),
    sends_backups: flag({
      label: 'Send backups to central',
      description:
        'Encrypted backups of this station are sent to its central too, which cannot read them. Default: no.',
    }),
    station_backups_keep: integer({
      label: 'Keep of each station',
      minimum: 0,
      maximum: 1_000,
      description:
        'At central: how many backups of each station that sends them stay; the oldest beyond these are removed; 0: none is taken. Default 3.',
    }),
    station_backups_days: integer({
      label: 'Keep of each station for',
      minimum: 0,
      maximum: 3_660,
      description:
        "At central: so many days after it was made a station's backup is removed, but the last one of a station whose key is valid stays; 0: never. Default 90.",
    }),
    web_origins: webOrigins(
      'Origins such as https://mes.example:8443, whose pages may call this machine with a token (CORS), at most 20; never with the cookie of who is signed in. Default none.',
    ),
  },
  collections: {},
};

export const MACHINE_SETTING_DEFAULTS = {
  backup_folder: null,
  backup_keep: 14,
  backup_drill_days: 31,
  is_backup_plain: false,
  sends_backups: false,
  station_backups_keep: 3,
  station_backups_days: 90,
  web_origins: [],
} as const;
