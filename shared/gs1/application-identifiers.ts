import { applicationIdentifierTable } from './application-identifier-table.ts';

const characterSets = ['N', 'X', 'Y', 'Z'] as const;
const partChecks = ['csum', 'yymmd0', 'yymmdd', 'yyyymmdd', 'hhmi', 'hh', 'mi', 'ss'] as const;

export type CharacterSet = (typeof characterSets)[number];
export type PartCheck = (typeof partChecks)[number];

/** One part of a value: so many characters of one set, with what is checked. */
export interface ValuePart {
  readonly characters: CharacterSet;
  readonly minimum: number;
  readonly maximum: number;
  readonly isOptional: boolean;
  readonly check: PartCheck | null;
}

export interface ApplicationIdentifier {
  /** The identifier with its last digit: `10`, `3103`. */
  readonly ai: string;
  /** GS1's data title. */
  readonly title: string;
  readonly parts: readonly ValuePart[];
  /** Characters of a value without and with all of its optional parts. */
  readonly minimum: number;
  readonly maximum: number;
  /** The unit of a measure (31nn to 36nn); otherwise null. */
  readonly unit: string | null;
  /** Digits after the decimal point: the identifier's last digit (31nn to 36nn, 39nn); otherwise null. */
  readonly decimals: number | null;
  /** True where no separator is needed after the value (General Specifications, figure 7.8.5-2). */
  readonly hasPredefinedLength: boolean;
}

/** The identifier that a text begins with, or null. No identifier begins with another. */
export function findApplicationIdentifier(text: string): ApplicationIdentifier | null {
  for (let length = 2; length <= 4; length += 1) {
    const found = byCode.get(text.slice(0, length));
    if (found !== undefined) return found;
  }
  return null;
}

/** Every identifier of the table, ranges written out, in the table's order. */
export function applicationIdentifiers(): ApplicationIdentifier[] {
  return [...byCode.values()];
}

const predefinedLength = /^(?:0[0-4]|1[1-9]|20|3[1-6]|41)/;
const withDecimals = /^3[1-69]\d\d$/;

const byCode = new Map(
  applicationIdentifierTable
    .trim()
    .split('\n')
    .flatMap(line => readLine(line))
    .map(identifier => [identifier.ai, identifier]),
);

function readLine(line: string): ApplicationIdentifier[] {
  const [, from = '', to = from, format = '', title = '', unit = null] =
    /^(\d+)(?:-(\d+))? (\S+) ([^|]+)(?:\|(.+))?$/.exec(line) ?? [];
  const parts = format.split('+').map(readPart);
  const required = parts.filter(({ isOptional }) => !isOptional);
  const codes = Array.from({ length: Number(to) - Number(from) + 1 }, (_, index) =>
    String(Number(from) + index).padStart(from.length, '0'),
  );
  return codes.map(ai => ({
    ai,
    title,
    parts,
    minimum: required.reduce((sum, part) => sum + part.minimum, 0),
    maximum: parts.reduce((sum, part) => sum + part.maximum, 0),
    unit,
    decimals: withDecimals.test(ai) ? Number(ai.slice(-1)) : null,
    hasPredefinedLength: predefinedLength.test(ai),
  }));
}

function readPart(text: string): ValuePart {
  const [, bracket, letter, minimum, maximum = minimum, check] =
    /^(\[?)([A-Z])(\d+)(?:\.\.(\d+))?(?:,(\w+))?\]?$/.exec(text) ?? [];
  return {
    characters: characterSets.find(set => set === letter) ?? 'N',
    minimum: Number(minimum),
    maximum: Number(maximum),
    isOptional: bracket === '[',
    check: partChecks.find(name => name === check) ?? null,
  };
}
