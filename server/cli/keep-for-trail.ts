import { existsSync } from 'node:fs';
import { userInfo } from 'node:os';
import type { AuditEvent } from '../audit/event.ts';
import { keptEvents } from '../audit/kept-events.ts';
import { COMMAND_LINE } from '../identity/owner-credential.ts';

/**
 * What a command did that reads or replaces the files itself: the server that uses the data folder next notes it, or the
 * one that does so now. Who cannot write there is told, and the command has done its work.
 */
export function keepForTrail(folder: string, event: AuditEvent): void {
  // A backup is verified on any machine.
  if (!existsSync(folder)) return;
  const details = { ...event.details, system_user: userInfo().username };
  try {
    keptEvents(folder).add([{ ...event, author: COMMAND_LINE, at: new Date().toISOString(), details }]);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    process.stderr.write(`This will be in no audit trail: ${why}\n`);
  }
}
