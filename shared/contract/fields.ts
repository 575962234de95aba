import { z } from 'zod';
import { isQuantity } from '../quantities/quantity.ts';
import { formatTimestamp, parseDate, parseTimestamp, type ZoneOf } from './dates.ts';
import {
  booleanSchema,
  givenIdSchema,
  idSchema,
  idText,
  isoTimestampSchema,
  shown,
  textSchema,
  timestampSchema,
} from './field-schemas.ts';
import { ARRAY_LIMIT, TEXT_LIMIT } from './limits.ts';
import { once, oncePer } from './once-per.ts';

/**
 * The kinds of field that a record family is made of.
 *
 * Each kind reads input liberally (`input`: what a client may send, giving the stored value) and writes answers
 * exactly as documented (`output`, `emit`). `null` always means "no value"; the family adds that, not the field.
 * Schemas are made when a field is first asked for them: there are a thousand, and a page or a command reads few.
 */
export type FieldKind =
  | 'id'
  | 'text'
  | 'long-text'
  | 'integer'
  | 'number'
  | 'boolean'
  | 'date'
  | 'timestamp'
  | 'choice'
  | 'reference'
  | 'text-list'
  | 'json';

/** Where the answer's value comes from: the stored fields, the document around them, or a rule that works it out. */
export type FieldSource = 'fields' | 'id' | 'created_at' | 'updated_at' | 'station' | 'derived';

export interface FieldSchemas<Out = unknown> {
  input: z.ZodType;
  output: z.ZodType<Out>;
  /** The documented type of the value in a request, without the liberties that `input` takes; as `output` unless said. */
  request?: z.ZodType;
}

export interface Field<Out = unknown> {
  kind: FieldKind;
  label: string;
  description: string;
  schemas: () => Required<FieldSchemas<Out>>;
  /** Stored value to answer value; absent when they are the same. Never called with null. */
  emit?: (stored: unknown) => unknown;
  /** Whether a value that is given is the stored one as answers say it, which can be less: it changes nothing. */
  isAsAnswered?: (given: unknown, stored: unknown) => boolean;
  source: FieldSource;
  /** False: set by the server only; a value that a client sends is ignored and named in `meta.ignored`. */
  writable: boolean;
  /** False: accepted and kept, but not part of the documented record. */
  returned: boolean;
  /** Not in the interface document: accepted and returned beside the documented fields. */
  isAdditive: boolean;
  /** Which writes must give a value. */
  requiredOn: readonly RequiredOn[];
  /** The value that a create without one stores. */
  fallback?: unknown;
  /** The value that an answer gives where none is stored. */
  absent?: unknown;
  /** The family that this field names a record of. */
  reference?: string;
  /** Further names under which a client may send the value; one of them wins over the field's own name. */
  aliases: readonly string[];
  /** A verdict, closure or approval: two stations' values are never merged silently. */
  isVerdict: boolean;
  /** An amount of money, in the currency that the company keeps its books in. */
  isMoney?: true;
  /** A unit of quantities: pieces have a word in the reader's language. */
  isUnit?: true;
  /** For `choice`. */
  choices?: readonly string[];
}

/** A field whose value stands around the stored ones: each record has it. */
export type Sourced<Out, From extends FieldSource> = Field<Out> & { source: From };

export type RequiredOn = 'create' | 'put' | 'patch';

export interface FieldOptions {
  label?: string;
  description?: string;
  writable?: boolean;
  returned?: boolean;
  isAdditive?: boolean;
  required?: boolean;
  requiredOn?: readonly RequiredOn[];
  fallback?: unknown;
  absent?: unknown;
  aliases?: readonly string[];
  isVerdict?: boolean;
  isMoney?: true;
  isUnit?: true;
}

/**
 * A value as a client sends it, read by its field: what is stored, or what is wrong with it. A moment that is given for a day becomes the
 * day at the site here, once: what is stored, sent to other machines and answered is the day.
 * @param zone the site's time zone; without one, moments whose day depends on it are refused
 */
export function readField(field: Field, value: unknown, zone?: ZoneOf): z.ZodSafeParseResult<unknown> {
  const isDay = field.kind === 'date' && typeof value === 'string';
  return field.schemas().input.safeParse(isDay ? (parseDate(value, zone) ?? value) : value);
}

/** One line of text, kept exactly as typed; at most 10,000 characters (interface decisions, 2). */
export function text(options: FieldOptions & { maximum?: number } = {}): Field<string> {
  return field('text', () => alike(textSchema(options.maximum ?? TEXT_LIMIT)), options);
}

/** Text of several lines. */
export function longText(options: FieldOptions = {}): Field<string> {
  return field('long-text', () => alike(textSchema(TEXT_LIMIT)), options);
}

/** A number that people write as text or as a whole number and that is kept and answered as text (order_number). */
export function numberText(options: FieldOptions = {}): Field<string> {
  return field('text', numberTextSchemas, options);
}

const numberTextSchemas = once(() => {
  const output = textSchema(TEXT_LIMIT);
  const input = z.preprocess(value => (Number.isSafeInteger(value) ? String(value) : value), output);
  return { input, output, request: z.union([output, z.int()]) };
});

/** Whole number; digits as text are read as well. */
export function integer(options: FieldOptions & { minimum?: number; maximum?: number } = {}): Field<number> {
  const { minimum = Number.MIN_SAFE_INTEGER, maximum = Number.MAX_SAFE_INTEGER } = options;
  return field('integer', () => integerSchemas(minimum, maximum), options);
}

const integerSchemas = oncePer((minimum: number, maximum: number) => {
  const output = z
    .int({ error: issue => `${shown(issue.input)} is not a whole number. Give a whole number such as 5.` })
    .min(minimum, { error: issue => `${shown(issue.input)} is too small. The least is ${minimum}.` })
    .max(maximum, { error: issue => `${shown(issue.input)} is too large. The most is ${maximum}.` });
  return { input: z.preprocess(readNumber, output), output };
});

/**
 * Decimal number of at most six decimals, exact: quantities, costs, densities. Decimal text is read as well, and a number that
 * misses six decimals by what adding up in binary leaves (0.30000000000000004).
 */
export function decimal(options: FieldOptions & { minimum?: number; maximum?: number } = {}): Field<number> {
  const { minimum = -1_000_000_000, maximum = 1_000_000_000 } = options;
  return field('number', () => decimalSchemas(minimum, maximum), options);
}

const decimalSchemas = oncePer((minimum: number, maximum: number) => {
  const request = z
    .number({ error: issue => `${shown(issue.input)} is not a number. Give a number such as 2.5.` })
    .min(minimum, { error: issue => `${shown(issue.input)} is too small. The least is ${minimum}.` })
    .max(maximum, { error: issue => `${shown(issue.input)} is too large. The most is ${maximum}.` })
    .refine(isQuantity, {
      error: issue => `${shown(issue.input)} has more than six decimals. Round it to six.`,
    });
  return { input: z.preprocess(readDecimal, request), output: z.number(), request };
});

/** A measured value: any finite number, kept as measured. */
export function measurement(options: FieldOptions = {}): Field<number> {
  return field('number', measurementSchemas, options);
}

const measurementSchemas = once(() => {
  const output = z.number({
    error: issue => `${shown(issue.input)} is not a number. Give a number such as 12.48.`,
  });
  return { input: z.preprocess(readNumber, output), output };
});

/** Yes or no: reads true, false, 0, 1, "0", "1"; `as` says how the record documents it. */
export function flag(options?: FieldOptions): Field<boolean>;
export function flag(options: FieldOptions & { as: 'integer' }): Field<number>;
export function flag(options: FieldOptions & { as: 'text' }): Field<string>;
export function flag(options: FieldOptions & { as?: 'integer' | 'text' } = {}): Field {
  if (options.as === 'integer') return { ...field('boolean', flagSchemas.integer, options), emit: Number };
  if (options.as === 'text') {
    return { ...field('boolean', flagSchemas.text, options), emit: stored => (stored ? '1' : '0') };
  }
  return field('boolean', flagSchemas.boolean, options);
}

const readFlag = once(() => z.preprocess(readBoolean, booleanSchema()));
const flagSchemas = {
  boolean: once(() => ({ input: readFlag(), output: booleanSchema() })),
  integer: once(() => {
    const output = z.union([z.literal(0), z.literal(1)]);
    return { input: readFlag(), output, request: z.union([booleanSchema(), ...output.options]) };
  }),
  text: once(() => {
    const output = z.enum(['0', '1']);
    return { input: readFlag(), output, request: z.union([booleanSchema(), output]) };
  }),
};

/**
 * A calendar day, `YYYY-MM-DD`. An ISO date-time is read as a day by `readField`, which the document says of those that have
 * a time (`hasTime`).
 */
export function date(options: FieldOptions & { hasTime?: true } = {}): Field<string> {
  return field('date', options.hasTime ? momentOfDaySchemas : dateSchemas, options);
}

const dateSchemas = once(() => {
  const input = z.string({ error: notADate }).transform((value, context) => {
    const day = parseDate(value);
    if (day !== null) return day;
    context.issues.push({ code: 'custom', input: value, message: notADate({ input: value }) });
    return z.NEVER;
  });
  return { input, output: z.iso.date() };
});

const momentOfDaySchemas = once(() => {
  const { input, output } = dateSchemas();
  const moment = z.iso.datetime({ offset: true, local: true }).describe(DAY_OF_MOMENT);
  return { input, output, request: z.union([output, moment]) };
});

/**
 * A moment. Stored as ISO 8601 UTC with milliseconds; answered as `YYYY-MM-DD HH:MM:SS` UTC, or as ISO 8601 where
 * the document says so. Any offset is read; without one it is UTC.
 */
export function timestamp(options: FieldOptions & { as?: 'iso' } = {}): Field<string> {
  if (options.as === 'iso')
    return field('timestamp', () => ({ ...momentSchemas(), output: isoTimestampSchema() }), options);
  return {
    ...field('timestamp', () => ({ ...momentSchemas(), output: timestampSchema() }), options),
    emit: stored => formatTimestamp(String(stored)),
  };
}

const momentSchemas = once(() => {
  const input = z.string({ error: notATimestamp }).transform((value, context) => {
    const moment = parseTimestamp(value);
    if (moment !== null) return moment;
    context.issues.push({ code: 'custom', input: value, message: notATimestamp({ input: value }) });
    return z.NEVER;
  });
  return {
    input,
    request: z.string().describe('ISO 8601 date-time with any offset; without one it is UTC.'),
  };
});

/** One of a fixed list, case-sensitive unless `fold` gives a reading of other spellings; the document has `spelledAlso`. */
export function choice<const Values extends readonly [string, ...string[]]>(
  values: Values,
  options: FieldOptions & { fold?: (value: string) => string; spelledAlso?: readonly string[] } = {},
): Field<Values[number]> {
  const fold = options.fold ?? (value => value);
  const schemas = () => {
    const output: z.ZodType<Values[number]> = z.enum(values, {
      error: issue => `${shown(issue.input)} is not allowed. Allowed: ${values.join(', ')}.`,
    });
    const input = z.preprocess(value => (typeof value === 'string' ? fold(value) : value), output);
    return {
      input,
      output,
      ...(options.spelledAlso && { request: z.enum([...values, ...options.spelledAlso]) }),
    };
  };
  return { ...field('choice', schemas, options), choices: values };
}

/** The id of a record of another family. Existence is checked when the record is written. */
export function reference(family: string, options?: FieldOptions & { isAlsoText?: true }): Field<number>;
export function reference(family: string, options: FieldOptions & { as: 'text' }): Field<string>;
export function reference(
  family: string,
  options: FieldOptions & { as?: 'text'; isAlsoText?: true } = {},
): Field {
  const schemas: (family: string) => FieldSchemas =
    options.as === 'text' ? textReference : options.isAlsoText ? eitherReference : numberReference;
  return {
    ...field('reference', () => schemas(family), options),
    ...(options.as === 'text' && { emit: String }),
    reference: family,
  };
}

const numberReference = oncePer((family: string) => {
  const output = idSchema(family);
  return { input: z.preprocess(readNumber, output), output };
});
const eitherReference = oncePer((family: string) => {
  const schemas = numberReference(family);
  return { ...schemas, request: z.union([schemas.output, idText()]) };
});
const textReference = oncePer((family: string) => {
  const { input, output } = numberReference(family);
  return { input, output: idText(), request: z.union([idText(), output]) };
});

/** A list of texts; what it names is not checked. */
export function textList(options: FieldOptions = {}): Field<string[]> & { absent: object } {
  return { ...field('text-list', textListSchemas, options), absent: options.absent ?? [] };
}

const textListSchemas = once(() =>
  alike(
    z
      .array(textSchema(TEXT_LIMIT), {
        error: issue => `${shown(issue.input)} is not a list. Give a list of texts.`,
      })
      .max(ARRAY_LIMIT, { error: `The list is too long. The most is ${ARRAY_LIMIT}.` }),
  ),
);

type JsonOptions = FieldOptions & Pick<Field, 'emit' | 'isAsAnswered'>;

/** Anything else, by its own schemas. */
export function json<Output extends z.ZodType>(
  schemas: () => FieldSchemas & { output: Output },
  options: JsonOptions & { absent: object },
): Field<z.output<Output>> & { absent: object };
export function json<Output extends z.ZodType>(
  schemas: () => FieldSchemas & { output: Output },
  options?: JsonOptions,
): Field<z.output<Output>>;
export function json(schemas: () => FieldSchemas, options: JsonOptions = {}): Field {
  const { emit, isAsAnswered } = options;
  return { ...field('json', schemas, options), ...(emit && { emit }), ...(isAsAnswered && { isAsAnswered }) };
}

/** A value that a rule works out when the record is answered; never stored, never written by a client. */
export function derived<Output extends z.ZodType>(
  output: () => Output,
  options: FieldOptions & { absent: object },
): Field<z.output<Output>> & { absent: object };
export function derived<Output extends z.ZodType>(
  output: () => Output,
  options?: FieldOptions,
): Field<z.output<Output>>;
export function derived(output: () => z.ZodType, options: FieldOptions = {}): Field {
  const schemas = () => ({ input: z.never(), output: output() });
  return { ...field('json', schemas, { ...options, writable: false }), source: 'derived' };
}

/** The record's id in its answer, as a whole number or (inspections) as text that holds one. */
export function recordId(options?: FieldOptions): Sourced<number, 'id'>;
export function recordId(options: FieldOptions & { as: 'text' }): Sourced<string, 'id'>;
export function recordId(options: FieldOptions & { as?: 'text' } = {}): Sourced<unknown, 'id'> {
  const base = { label: 'Id', ...options, writable: false };
  if (options.as === 'text') {
    const schemas = () => ({ input: givenIdSchema(), output: idText() });
    return { ...field('id', schemas, base), emit: String, source: 'id' };
  }
  return { ...field('id', () => alike(givenIdSchema()), base), source: 'id' };
}

/** When the record was made, UTC. */
export function createdAt(options: { as?: 'iso' } = {}): Sourced<string, 'created_at'> {
  return { ...timestamp({ label: 'Created', writable: false, ...options }), source: 'created_at' };
}

/** When the record last changed, UTC. */
export function updatedAt(options: { as?: 'iso' } = {}): Sourced<string, 'updated_at'> {
  return { ...timestamp({ label: 'Changed', writable: false, ...options }), source: 'updated_at' };
}

/** The machine that wrote the record last. */
export function writtenAt(): Sourced<string, 'station'> {
  const description = 'The machine that wrote it last: the name that its chain begins with.';
  return {
    ...text({ label: 'Last written at', writable: false, isAdditive: true, description }),
    source: 'station',
  };
}

const DAY_OF_MOMENT =
  "A moment: with an offset it is the day at the site (the settings' time_zone), but a midnight is the day that is written; without one as well.";

/** The field with another reading of what clients send. */
export function withInput<Out>(field: Field<Out>, input: (usual: z.ZodType) => z.ZodType): Field<Out> {
  const schemas = once(() => ({ ...field.schemas(), input: input(field.schemas().input) }));
  return { ...field, schemas };
}

/** Of what is read as it is answered. */
function alike<Out>(schema: z.ZodType<Out>): FieldSchemas<Out> {
  return { input: schema, output: schema };
}

function field<Out>(kind: FieldKind, schemasOf: () => FieldSchemas<Out>, options: FieldOptions): Field<Out> {
  return {
    kind,
    schemas: once(() => {
      const { input, output, request = output } = schemasOf();
      return { input, output, request };
    }),
    label: options.label ?? '',
    description: options.description ?? '',
    source: 'fields',
    writable: options.writable ?? true,
    returned: options.returned ?? true,
    isAdditive: options.isAdditive ?? false,
    requiredOn: options.requiredOn ?? (options.required ? ['create'] : []),
    ...(options.fallback === undefined ? {} : { fallback: options.fallback }),
    ...(options.absent === undefined ? {} : { absent: options.absent }),
    aliases: options.aliases ?? [],
    isVerdict: options.isVerdict ?? false,
    ...(options.isMoney && { isMoney: true }),
    ...(options.isUnit && { isUnit: true }),
  };
}

function readNumber(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  return /^-?\d{1,30}(\.\d{1,30})?$/.test(value) ? Number(value) : value;
}

/** As `readNumber`; what lies within four steps of a double beside six decimals stands for these. */
function readDecimal(value: unknown): unknown {
  const number = readNumber(value);
  if (typeof number !== 'number' || !Number.isFinite(number)) return number;
  const rounded = Math.round(number * 1_000_000) / 1_000_000;
  return Math.abs(number - rounded) <= 4 * Number.EPSILON * Math.abs(number) ? rounded : number;
}

function readBoolean(value: unknown): unknown {
  if (value === 1 || value === '1') return true;
  if (value === 0 || value === '0') return false;
  return value;
}

function notADate(issue: { input?: unknown }): string {
  return `${shown(issue.input)} is not a calendar date. Give YYYY-MM-DD, for example 2026-01-31.`;
}

function notATimestamp(issue: { input?: unknown }): string {
  return `${shown(issue.input)} is not a date and time. Give ISO 8601, for example 2026-01-31T08:30:00Z.`;
}
