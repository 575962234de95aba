import { defineFamily } from '../define-family.ts';
import { integer, text } from '../fields.ts';

/** The site's settings, one record with id 1 that exists once somebody changed a setting. */
export const setting = defineFamily({
  name: 'setting',
  title: 'Settings',
  plural: 'Settings',
  path: '/settings',
  description: "The site's settings.",
  fields: {
    time_zone: text({ description: 'What "today" is: an IANA name such as Europe/Berlin. Default UTC.' }),
    expiry_soon_days: integer({
      minimum: 0,
      maximum: 3_650,
      description: 'A lot expires soon within these days. Default 30.',
    }),
  },
  operations: {},
  columns: ['time_zone', 'expiry_soon_days'],
  rules: ['settings'],
});

export const SETTING_DEFAULTS = { time_zone: 'UTC', expiry_soon_days: 30 } as const;
