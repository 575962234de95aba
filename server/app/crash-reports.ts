import { mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** Below the data folder. */
export const CRASHES = join('logs', 'crashes');
/** Reports that stay. */
const KEPT = 5;

export interface CrashReports {
  /** Of an error that nothing has caught. */
  note(error: unknown): void;
}

/** With what Node.js's types do not say; Electron's Node.js may not have it at all. */
type Reporting = NodeJS.ProcessReport & { excludeEnv: boolean; excludeNetwork: boolean };

/**
 * From now on a crash writes a report of Node.js into the data folder: where the program was, its memory, libraries and limits.
 * Nothing is sent anywhere. The environment, which holds secrets, and addresses of the network stay out; an error's own words are
 * in it. The last five stay.
 */
export function keepCrashReports(
  folder: string,
  reporting: Reporting | undefined = process.report as Reporting | undefined,
): CrashReports {
  if (!reporting) return { note: () => {} };
  const crashes = join(folder, CRASHES);
  try {
    mkdirSync(crashes, { recursive: true, mode: 0o700 });
    for (const path of crashReportsIn(folder).slice(0, -KEPT)) rmSync(path, { force: true });
  } catch (error) {
    // A full disk keeps no report, and stops nothing.
    if (error instanceof Error && 'code' in error) return { note: () => {} };
    throw error;
  }
  reporting.directory = crashes;
  reporting.compact = true;
  reporting.excludeEnv = true;
  reporting.excludeNetwork = true;
  reporting.reportOnFatalError = true;
  return {
    note(error) {
      reporting.writeReport(error instanceof Error ? error : new Error(String(error)));
    },
  };
}

/** Their names tell when they were written; what is none of ours stays. */
export function crashReportsIn(folder: string): string[] {
  const crashes = join(folder, CRASHES);
  if (!statSync(crashes, { throwIfNoEntry: false })?.isDirectory()) return [];
  const names = readdirSync(crashes).filter(name => /^report\.\d{8}\.\d{6}\.[\w.]+\.json$/.test(name));
  return names.sort().map(name => join(crashes, name));
}
