import { execFileSync } from 'node:child_process';
import { closeSync, existsSync, fstatSync, openSync, readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import {
  MACHINE_POLICY_NAMES,
  type MachinePolicy,
  parseMachinePolicy,
} from '../../shared/contract/machine-policy.ts';
import { folderOfOthers, OTHERS_WRITE } from './only-roots.ts';

/** The policy of this machine as it was read. */
export interface ReadPolicy {
  /** Where it stands; null where there is none. */
  source: string | null;
  settings: MachinePolicy;
  /** What of it is not in force, and why, a sentence each. */
  faults: string[];
}

export const NO_POLICY: ReadPolicy = { source: null, settings: {}, faults: [] };
const LINUX = '/etc/holdpoint/policy.json';
/** What a configuration profile or an MDM writes; root's alone. */
const MACOS = '/Library/Managed Preferences/io.holdpoint.station.plist';
/** Where group policies are written; administrators' alone. */
const WINDOWS = 'HKLM\\SOFTWARE\\Policies\\Holdpoint';

const EVERYBODY_READS = 0o004;

/**
 * The policy that administrators gave this machine: a file of root's on Linux, managed preferences on macOS, the registry's
 * policies on Windows. `HOLDPOINT_POLICY` names another file where there is none at its place; it is held to the same rules,
 * so nobody but root sets a policy. Never throws: what cannot be used is not in force, and is told.
 */
export function readMachinePolicy(
  variables: Record<string, string | undefined>,
  platform: NodeJS.Platform = process.platform,
): ReadPolicy {
  if (platform === 'win32') return readRegistry();
  if (platform === 'darwin' && existsSync(MACOS)) return readPreferences();
  const other = variables.HOLDPOINT_POLICY;
  const path = existsSync(LINUX) || !other ? LINUX : resolve(other);
  return existsSync(path) ? readFile(path) : NO_POLICY;
}

function readFile(path: string): ReadPolicy {
  const none = (fault: string): ReadPolicy => ({ source: path, settings: {}, faults: [fault] });
  const folder = folderOfOthers(path, dirname(LINUX));
  if (folder !== undefined)
    return none(`Others than root may write in ${folder}: chown root ${folder}; chmod go-w ${folder}.`);
  let file: number | undefined;
  try {
    file = openSync(path, 'r');
    const stats = fstatSync(file);
    if (!stats.isFile()) return none('It is no file.');
    if (stats.uid !== 0 || (stats.mode & OTHERS_WRITE) !== 0)
      return none(`Others than root may write it: chown root ${path}; chmod go-w ${path}.`);
    const { settings, faults } = parseMachinePolicy(JSON.parse(readFileSync(file, 'utf8')));
    if (settings.enrolment_code === undefined || (stats.mode & EVERYBODY_READS) === 0)
      return { source: path, settings, faults };
    const { enrolment_code: _open, ...rest } = settings;
    const remedy = `chgrp holdpoint ${path}; chmod 640 ${path}, with the group of who runs the server`;
    return {
      source: path,
      settings: rest,
      faults: [...faults, `enrolment_code is not used: everybody may read it. ${remedy}.`],
    };
  } catch (error) {
    return none(`It cannot be read: ${error instanceof Error ? error.message : String(error)}.`);
  } finally {
    if (file !== undefined) closeSync(file);
  }
}

function readRegistry(): ReadPolicy {
  try {
    // Not by the environment, which is the user's.
    const output = execFileSync('C:\\Windows\\System32\\reg.exe', ['query', WINDOWS], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
      windowsHide: true,
    });
    return { source: WINDOWS, ...parseMachinePolicy(registryValues(output)) };
  } catch {
    // The key is not there: it ends with 1 then.
    return NO_POLICY;
  }
}

/** What `reg query` prints: name, type and value of each, apart by four blanks. A flag is a number there. */
export function registryValues(output: string): Record<string, unknown> {
  const lines = output.matchAll(/^ {4}(\S+) {4}(REG_\w+) {4}(.*?)\r?$/gm);
  return Object.fromEntries(
    [...lines].map(([, name = '', type, value = '']) => {
      if (type !== 'REG_DWORD') return [name, value];
      const number = Number(value);
      return [name, name === 'port' ? number : number === 1];
    }),
  );
}

function readPreferences(): ReadPolicy {
  try {
    const arguments_ = ['-convert', 'json', '-o', '-', MACOS];
    const preferences: unknown = JSON.parse(
      execFileSync('/usr/bin/plutil', arguments_, { encoding: 'utf8' }),
    );
    return { source: MACOS, ...parseMachinePolicy(ownOf(preferences)) };
  } catch (error) {
    const fault = `It cannot be read: ${error instanceof Error ? error.message : String(error)}.`;
    return { source: MACOS, settings: {}, faults: [fault] };
  }
}

/** A profile brings names of its own beside ours, such as PayloadUUID. */
function ownOf(preferences: unknown): unknown {
  if (typeof preferences !== 'object' || preferences === null) return preferences;
  const known: readonly string[] = MACHINE_POLICY_NAMES;
  return Object.fromEntries(Object.entries(preferences).filter(([name]) => known.includes(name)));
}
