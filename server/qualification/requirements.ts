import type { Requirement } from './requirement.ts';
import { auditTrailRows } from './rows/audit-trail.ts';
import { backupRows } from './rows/backup.ts';
import { configurationRows } from './rows/configuration.ts';
import { installationRows } from './rows/installation.ts';
import { migrationRows } from './rows/migration.ts';
import { peopleRows } from './rows/people.ts';
import { recordRows } from './rows/records.ts';
import { signatureRows } from './rows/signatures.ts';
import { timeRows } from './rows/time.ts';

/**
 * What the system must do for regulated work, and how each of it is tried: the one table, from which `docs/requirements.md`
 * is written. They share one scratch station, in this order: each makes its own records and leaves settings as they were.
 */
export const requirements: readonly Requirement[] = [
  ...installationRows,
  ...auditTrailRows,
  ...signatureRows,
  ...peopleRows,
  ...timeRows,
  ...configurationRows,
  ...recordRows,
  ...backupRows,
  ...migrationRows,
];
