import type { ApplicationIdentifier } from './application-identifiers.ts';

export type UnreadableReason =
  | 'empty'
  | 'unknownIdentifier'
  | 'checkDigit'
  | 'cutShort'
  | 'tooLong'
  | 'character'
  | 'date'
  | 'time'
  | 'contradiction';

/** Why a code stops: nothing of it is used, since the rest may be wrong too. */
export interface Unreadable {
  readonly reason: UnreadableReason;
  /** The application identifier that it is about. */
  readonly ai: string | null;
  /** Where it was found: characters from the start of the scanned text. */
  readonly at: number;
  /** English words that name the identifier and the remedy. */
  readonly message: string;
}

/** `(17) USE BY or EXPIRY`. */
export function nameOf({ ai, title }: ApplicationIdentifier): string {
  return `(${ai}) ${title}`;
}

export const scanAgain = 'Scan again; if it repeats, type the values as printed and tell the supplier.';
export const setSeparator =
  'The separator (FNC1) is missing: set the scanner to send it as GS (ASCII 29), then scan again.';
