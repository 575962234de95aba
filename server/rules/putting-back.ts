import { AppError } from '../../shared/contract/errors.ts';
import type { PlannedChange } from '../store/changes.ts';
import type { UnitOfWork } from '../store/unit-of-work.ts';

/** What names the moment in which it was made: made by the server, that is the moment of its commit. */
const MOMENTS: Readonly<Record<string, string>> = { signature: 'at', certificate: 'issued_at' };

/**
 * What an import puts back was signed or issued before. With the moment of the import itself it would pass for an act of
 * that moment, which nobody did (interface decisions, 5.16 and 5.17).
 * @throws AppError `conflict`
 */
export function refuseOwnMoment({ at, actor }: UnitOfWork, { family, before, fields }: PlannedChange): void {
  const moment = MOMENTS[family.name];
  if (actor.rights.kind !== 'import' || before || moment === undefined || fields[moment] !== at) return;
  throw new AppError(
    'conflict',
    `${family.title} with ${moment} ${at}, the moment of this import: an import puts back what was made before. Leave the row out.`,
  );
}
