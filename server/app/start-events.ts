import type { Logger } from 'pino';
import type { AppError } from '../../shared/contract/errors.ts';
import type { AuditEvent } from '../audit/event.ts';
import type { KeptEvents } from '../audit/kept-events.ts';
import type { Trail } from '../audit/trail.ts';
import { FIRST_TOKEN_NAME, type FirstToken } from '../identity/first-token.ts';
import { PROGRAM_VERSION } from '../store/program-version.ts';
import type { Store } from '../store/store.ts';
import type { RunImport } from '../transfer/imports.ts';

/** What a start itself does that belongs into the system's own trail; of most starts nothing does. */
export async function noteStart({
  store,
  trail,
  firstToken,
  keys,
}: {
  store: Pick<Store, 'usedBy' | 'database'>;
  trail: Trail;
  firstToken: FirstToken | null;
  /** By which the installation signs, and signed before where that is another one. */
  keys: { former: string | undefined; key: string };
}): Promise<void> {
  if (store.database.damage) return;
  const events: AuditEvent[] = [];
  const { usedBy } = store;
  if (usedBy !== undefined && usedBy !== PROGRAM_VERSION)
    events.push({ kind: 'updated', details: { from: usedBy, to: PROGRAM_VERSION } });
  if (firstToken?.isNew)
    events.push({ kind: 'token_created', details: { token: FIRST_TOKEN_NAME, scopes: ['admin'] } });
  const { former, key } = keys;
  if (former !== undefined) events.push({ kind: 'authority_changed', details: { former, key } });
  await trail.note(...events);
}

/** A damaged store notes nothing: what it was is noted by the one that takes its place. */
export function keepDamage(
  kept: Pick<KeptEvents, 'add'>,
  damage: AppError,
  clock: () => Date,
  log: Pick<Logger, 'error'>,
): void {
  try {
    kept.add([{ kind: 'damage_found', at: clock().toISOString(), details: { damage: damage.message } }]);
  } catch (error) {
    log.error({ err: error }, 'The damage is in no audit trail.');
  }
}

export function importEvent({ id, caller, isDry, files, end }: RunImport): AuditEvent {
  const names = Object.entries(files).map(
    ([name, { size, sha256 }]) => `${name}: ${size} bytes, SHA-256 ${sha256}`,
  );
  const details = { import: id, files: names, ...(isDry && { is_trial: true }) };
  if (!end) return { ...caller, kind: 'import_started', details };
  const { state, rows_read, created, updated, unchanged, bad } = end;
  return {
    ...caller,
    kind: 'imported',
    details: { ...details, state, rows_read, created, updated, unchanged, bad },
  };
}
