import { chmodSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { type MachineServer, machineServerSchema } from '../../shared/contract/machine-server.ts';

/**
 * Says where the server of a machine is, in a file that all who work there read and only the service writes (`HOLDPOINT_SERVICE`).
 * Of a server that others reach too nothing is said: apps speak plain HTTP on their own machine alone. Answers why it was not said.
 */
export function tellServer(path: string, server: MachineServer): string | undefined {
  const parsed = machineServerSchema.safeParse(server);
  if (!parsed.success) return `${server.origin} is not at http://127.0.0.1.`;
  const part = `${path}.part`;
  try {
    writeFileSync(part, `${JSON.stringify(parsed.data)}\n`);
    // Whatever the mask of the service is.
    chmodSync(part, 0o644);
    renameSync(part, path);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** What a server said that may be gone; undefined where none said anything, or nothing that can be read. */
export function readToldServer(path: string): MachineServer | undefined {
  try {
    return machineServerSchema.safeParse(JSON.parse(readFileSync(path, 'utf8'))).data;
  } catch {
    // Not there, or no JSON: one that starts writes it anew.
    return undefined;
  }
}

/** Unless another one has said something since. */
export function withdrawServer(path: string, process: number): void {
  if (readToldServer(path)?.process === process) rmSync(path, { force: true });
}
