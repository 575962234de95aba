import { z } from 'zod';
import { type PolicyPrinter, RAW_PORTS, rawHostSchema } from './label-printers.ts';

/**
 * Ends the address of a paper that a kiosk shows: Chromium's viewer has no buttons then, of which one opens the system's print dialog and
 * one that of files.
 */
export const WITHOUT_BUTTONS = '#toolbar=0';

/** A label or a sheet, at most, in bytes: what Chromium prints is a `data:` address, and its addresses end at 2 MiB. */
const CONTENT_LIMIT = 1024 * 1024;

const startsWith = (bytes: Uint8Array, text: string) =>
  new TextDecoder('latin1').decode(bytes.subarray(0, text.length)) === text;

const bytes = z.instanceof(Uint8Array).refine(content => content.length <= CONTENT_LIMIT, {
  error: `A label or a document has at most ${CONTENT_LIMIT} bytes.`,
});

/** What the page hands to the desktop app to print, without a dialog. */
export const labelInputSchema = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('printer'),
    /** For the person who looks at the queue. */
    title: z.string().min(1).max(200),
    /** The name of a printer of this machine, as `printers` lists it. */
    printer: z.string().min(1).max(200),
    /** A PDF, one page a label. */
    content: bytes.refine(content => startsWith(content, '%PDF-'), { error: 'Give a PDF.' }),
    /** Of one page. */
    width_mm: z.number().min(5).max(1_000),
    height_mm: z.number().min(5).max(1_000),
  }),
  z.strictObject({
    kind: z.literal('network'),
    title: z.string().min(1).max(200),
    /** A name or an address of a label printer. */
    host: rawHostSchema,
    port: z.literal(RAW_PORTS, { error: `Give one of the ports ${RAW_PORTS.join(', ')}.` }),
    /** ZPL II. */
    content: bytes.refine(content => startsWith(content, '^XA'), { error: 'Give ZPL that begins with ^XA.' }),
  }),
]);

export type LabelInput = z.infer<typeof labelInputSchema>;

/**
 * `queued`: waits its turn. `handed_over`: the printer is getting it. `asking`: it may have been printed or not (the
 * program or the connection ended meanwhile), a person looks. `failed`: nothing of it reached the printer.
 */
export const labelJobStates = ['queued', 'handed_over', 'asking', 'failed'] as const;

/**
 * Why a job failed or asks. `interrupted`: the app ended while the printer was getting it. `no_printer`: this machine has
 * none of that name. `late`: the system did not take it in time. `refused`: the system did not take it. `unreadable`: the
 * app could not read it. `silent`: the label printer does not answer. `unreachable`: there is no way to it. `broke_off`:
 * it ended the connection. `unknown`: see the detail.
 */
export const labelFaults = [
  'interrupted',
  'no_printer',
  'late',
  'refused',
  'unreadable',
  'silent',
  'unreachable',
  'broke_off',
  'unknown',
] as const;
export type LabelFault = (typeof labelFaults)[number];

export interface LabelJob {
  id: string;
  title: string;
  /** The printer's name, or its host and port. */
  to: string;
  state: (typeof labelJobStates)[number];
  /** Why it failed or asks; null otherwise. */
  fault: LabelFault | null;
  /** What the system or the network said of it, in its own words. */
  detail: string | null;
}

/** What becomes of a job that asks or failed. */
export const labelDecisionSchema = z.strictObject({
  id: z.string().max(100),
  decision: z.enum(['print_again', 'drop']),
});

export interface DesktopPrinter {
  name: string;
  /** As the system shows it. */
  title: string;
}

export type UpdateState =
  | { kind: 'off' | 'looking' | 'latest' }
  /** Nothing is offered or installed now, by the machine's policy: its hours are `window`, such as `22:00-05:00`. */
  | { kind: 'closed'; window: string }
  | { kind: 'arriving'; version: string; percent: number }
  /** It is installed when the app ends; where that takes an administrator, when one says so in the app's menu. */
  | { kind: 'ready'; version: string; needs_administrator: boolean }
  /**
   * `why`: what came was not what the feed offers; nothing came; the publisher has not signed the feed; it is older than one that was
   * seen, of the future, or was not signed anew in time. `message`: in the updater's own words.
   */
  | { kind: 'failed'; why: 'not_genuine' | 'not_fetched' | 'not_signed' | 'misdated'; message: string };

/** How it stands with updates, for the page. */
export interface UpdateReport {
  state: UpdateState;
  /** When it was last known what there is, ISO 8601; null before that. */
  looked_at: string | null;
}

/**
 * What became of a PIN. `left`: the kiosk is over until the app starts again. `resting`: none is tried for a quarter of an hour, as too
 * many were wrong. `no_pin`: the policy sets none.
 */
export const kioskAnswers = ['left', 'wrong', 'resting', 'no_pin'] as const;
export type KioskAnswer = (typeof kioskAnswers)[number];

export const kioskPinSchema = z.strictObject({ pin: z.string().min(1).max(100) });

/** What the desktop app adds to the page, as `window.holdpoint`; undefined in a browser. */
export interface DesktopBridge {
  readonly app: {
    version(): Promise<string>;
    openLogs(): Promise<void>;
  };
  readonly labels: {
    printers(): Promise<DesktopPrinter[]>;
    /** Where the policy of the machine sends labels; null: where its people choose. */
    preset(): Promise<PolicyPrinter | null>;
    /** Takes a job into the queue, durably; resolves before it is printed. */
    print(input: LabelInput): Promise<LabelJob>;
    /** Everything that is not printed yet. */
    jobs(): Promise<LabelJob[]>;
    decide(decision: z.infer<typeof labelDecisionSchema>): Promise<LabelJob[]>;
  };
  readonly kiosk: {
    /** Whether the app fills the screen and has no other way out. */
    isOn(): Promise<boolean>;
    /** By the PIN of the machine's policy. */
    leave(input: z.infer<typeof kioskPinSchema>): Promise<KioskAnswer>;
    /** The printer of this machine to which its documents go; null where the policy names none. */
    printer(): Promise<string | null>;
  };
  readonly updates: {
    report(): Promise<UpdateReport>;
    /** Looks now; resolves when it is known whether there is something. */
    look(): Promise<UpdateReport>;
  };
}
