import { spawnSync } from 'node:child_process';
import { parseArgs } from 'node:util';

export interface RepositoryOptions {
  /** Such as `updates/apt` or `updates/dnf` of the central's data folder. */
  folder: string;
  /** Machines follow one of them: a new version goes to `pilot` first, and to `stable` when it has proved itself. */
  ring: string;
  /** The packages of the ring, by their paths: whole, as apt and dnf take the newest. */
  packages: readonly string[];
  /** The publisher's key in gpg's ring, by its fingerprint; `home`: another folder of gpg's. */
  key: string;
  home?: string | undefined;
  now: Date;
}

/** @throws Error for what could not be the name of a ring's folder */
export function requireRing(ring: string): void {
  if (!/^[a-z][a-z0-9-]*$/.test(ring))
    throw new Error(`${ring} is no ring: give a name such as stable or pilot.`);
}

/** Runs one of the tools that make a repository. @throws Error with what it said, where it failed or is not here */
export function runTool(program: string, args: readonly string[], input = ''): string {
  const { status, stdout, stderr, error } = spawnSync(program, args, { input, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${program} failed: ${error?.message ?? stderr}`);
  return stdout;
}

/** `--folder F --ring stable --key FINGERPRINT [--valid-days N] PACKAGE…`; ends the process where something is missing. */
export function publishingOptions() {
  const { values, positionals: packages } = parseArgs({
    allowPositionals: true,
    options: {
      folder: { type: 'string' },
      ring: { type: 'string', default: 'stable' },
      key: { type: 'string' },
      'valid-days': { type: 'string' },
    },
  });
  const { folder, ring, key } = values;
  if (folder === undefined || key === undefined || packages.length === 0) {
    process.stderr.write('Give --folder, --key and packages.\n');
    process.exit(2);
  }
  const days = values['valid-days'];
  return { folder, ring, key, packages, validDays: days === undefined ? undefined : Number(days) };
}
