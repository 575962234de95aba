import { z } from 'zod';
import { readEnrolmentCode } from './enrolment-code.ts';
import { AppError } from './errors.ts';
import { labelResolutions, RAW_PORTS, readPolicyPrinter } from './label-printers.ts';
import { RING_NAME } from './signed-release.ts';
import { updateWindowSchema } from './update-window.ts';

/** scrypt (RFC 7914), as passwords are stored: log2 N, r, p, salt and key. What it may ask for is bounded. */
const PIN_HASH = /^scrypt\$(1[0-8])\$([1-9]|1[0-6])\$([1-4])\$([\w-]{22})\$([\w-]{43})$/;

/** The parts of a hash that `kiosk_pin` takes; salt and key in base64url. */
export function readPinHash(stored: string) {
  const [, log2N, r, p, salt = '', key = ''] = PIN_HASH.exec(stored) ?? [];
  return { log2N: Number(log2N), r: Number(r), p: Number(p), salt, key };
}

const PRINTER = `Give the name of a printer, or socket://host:port with one of the ports ${RAW_PORTS.join(', ')} and, where it is not ${labelResolutions[0]}, ?dpi=${labelResolutions[1]}.`;

const flag = z.boolean({ error: 'Give true or false.' });

/**
 * What the administrators of a machine decide for it (IT, not the people who work at it). Nothing that the program asks
 * for by itself; what is set here is locked everywhere else.
 */
export const machinePolicySchema = z.strictObject({
  /** Central's address: https://central.example:4870. Nobody enrols the machine at another one. */
  central: z.url({
    protocol: /^https?$/,
    error: "Give central's address, such as https://central.example:4870.",
  }),
  /** A code of that central for several stations, with which the machine enrols by itself. */
  enrolment_code: z
    .string()
    .refine(isCode, { error: 'Give the code as central showed it, from HP1 to its end.' }),
  /** What the station is called; the machine's own name unless it is set. */
  station_name: z.string().trim().min(1).max(100, { error: 'Give 1 to 100 characters.' }),
  /** A PEM file with the authorities by which central is known, as `HOLDPOINT_CA`. */
  authority_file: z.string().min(1, { error: 'Give the path of a PEM file.' }),
  /** Where the machine's server listens, as `HOLDPOINT_PORT`. */
  port: z
    .int({ error: 'Give a port, 1 to 65535.' })
    .min(1)
    .max(65_535, { error: 'Give a port, 1 to 65535.' }),
  /** Whether encrypted backups of the machine are sent to its central too. */
  sends_backups: flag,
  /** Whether the desktop app gets updates by its central. */
  updates: z.enum(['on', 'off'], { error: 'Give on or off.' }),
  /** Whose updates the machine follows: those of the folder of this name in central's `updates`; the stable ones unless it is set. */
  update_ring: z.string().regex(RING_NAME, { error: 'Give a name such as pilot.' }),
  /** When updates are offered and installed, `22:00-05:00`; always unless it is set. */
  update_window: updateWindowSchema,
  /** Of the screens, the menus and the sign-in, for who has chosen none. */
  language: z.enum(['en', 'de'], { error: 'Give en or de.' }),
  /** Where the desktop app sends labels: a printer of the system by its name, or `socket://host:9100?dpi=300`. */
  printer: z
    .string({ error: PRINTER })
    .trim()
    .min(1, { error: PRINTER })
    .max(200, { error: PRINTER })
    .refine(text => readPolicyPrinter(text) !== undefined, { error: PRINTER }),
  /** Whether the desktop app starts, without a window, when its user signs in. */
  starts_at_login: flag,
  /** Whether the desktop app goes on working when its window is closed. */
  keeps_running: flag,
  /** Whether the desktop app fills the screen and has no way out of it but by `kiosk_pin`. */
  kiosk: flag,
  /** By which one leaves a kiosk until the app starts again: a hash, as `holdpoint policy pin` writes it. */
  kiosk_pin: z.string().regex(PIN_HASH, { error: 'Give what holdpoint policy pin writes.' }),
  /** The system's printer to which a kiosk sends its documents, without a dialog. */
  kiosk_printer: z.string().regex(/^\s*\S.{0,199}$/, { error: 'Give the name of a printer of the system.' }),
});

export type MachinePolicy = Partial<z.infer<typeof machinePolicySchema>>;

export const MACHINE_POLICY_NAMES = Object.keys(machinePolicySchema.shape) as (keyof MachinePolicy)[];

/** What of it the desktop app itself does. */
export const desktopPolicySchema = machinePolicySchema
  .pick({
    updates: true,
    update_ring: true,
    update_window: true,
    language: true,
    printer: true,
    starts_at_login: true,
    keeps_running: true,
    kiosk: true,
    kiosk_pin: true,
    kiosk_printer: true,
  })
  .partial()
  .strip();

export type DesktopPolicy = z.infer<typeof desktopPolicySchema>;

/**
 * Whether the desktop app updates itself by its central. Not on macOS where there are hours for it: what its system has been given
 * is installed at the next end of the app, whenever that is (Squirrel.Mac), so that no hours would hold.
 */
export function isUpdatedByCentral(
  policy: { updates?: 'on' | 'off' | undefined; update_window?: string | undefined },
  platform: string,
): boolean {
  return policy.updates !== 'off' && (platform !== 'darwin' || policy.update_window === undefined);
}

/** What is set rightly, and what is wrong with the rest, a sentence each: one fault leaves the others in force. */
export function parseMachinePolicy(given: unknown): { settings: MachinePolicy; faults: string[] } {
  const settings: Record<string, unknown> = {};
  const faults: string[] = [];
  if (typeof given !== 'object' || given === null || Array.isArray(given))
    return { settings: {}, faults: ['It is no JSON object.'] };
  for (const [name, value] of Object.entries(given)) {
    if (!isName(name)) {
      faults.push(`${name} is not known. Known are: ${MACHINE_POLICY_NAMES.join(', ')}.`);
      continue;
    }
    const parsed = machinePolicySchema.shape[name].safeParse(value);
    if (parsed.success) settings[name] = parsed.data;
    // The code is a secret: what was given in its place may be one too.
    else faults.push(`${shown(name, value)} cannot be used. ${parsed.error.issues[0]?.message ?? ''}`.trim());
  }
  return { settings: settings as MachinePolicy, faults };
}

/** Not shown anywhere: the code, and by what a PIN could be guessed. */
export const SECRETS: readonly (keyof MachinePolicy)[] = ['enrolment_code', 'kiosk_pin'];

function shown(name: keyof MachinePolicy, value: unknown): string {
  return SECRETS.includes(name) ? name : `${name}=${JSON.stringify(value)?.slice(0, 100)}`;
}

function isName(name: string): name is keyof MachinePolicy {
  return Object.hasOwn(machinePolicySchema.shape, name);
}

function isCode(code: string): boolean {
  try {
    readEnrolmentCode(code);
    return true;
  } catch (error) {
    if (error instanceof AppError) return false;
    throw error;
  }
}
