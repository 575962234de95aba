import { z } from 'zod';
import { once, oncePer } from './once-per.ts';

/** The value as an error message shows it: short, quoted, never the whole payload. */
export function shown(value: unknown): string {
  if (value === undefined) return 'Nothing';
  const json = JSON.stringify(value) ?? String(value);
  return json.length > 60 ? `${json.slice(0, 57)}…` : json;
}

/** An object that the documentation of the interface knows by its name. */
export function named<Shape extends z.ZodRawShape>(id: string, shape: Shape) {
  return z.object(shape).meta({ id });
}

/** A list of objects. */
export function listOf<Shape extends z.ZodRawShape>(shape: Shape) {
  return z.array(z.object(shape));
}

export const timestampSchema = oncePer(() =>
  z
    .string()
    .regex(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/)
    .describe('UTC, YYYY-MM-DD HH:MM:SS'),
);

export const isoTimestampSchema = oncePer(() =>
  z.iso.datetime({ precision: 3 }).describe('UTC, ISO 8601 with milliseconds'),
);

/** Of the clock by which something was written. */
export const clockOffsetSchema = oncePer(() =>
  z
    .number()
    .nullable()
    .describe(
      "The clock of that station minus central's, in milliseconds, as it had last compared them; below 0: it was behind. Null: not known.",
    ),
);

/** Of a clock that was not confirmed. */
export const clockAtLeastSchema = oncePer(() =>
  isoTimestampSchema()
    .nullable()
    .describe(
      'Of a change that was written while the clock of that station was not confirmed: what it should at least have said. Null: it was believed.',
    ),
);

/** Text of so many characters at most. */
export const textSchema = oncePer((maximum: number) =>
  z
    .string({ error: issue => `${shown(issue.input)} is not text. Give a text in quotes.` })
    // Written when it is asked for: the first number in words loads tables that every start would wait for.
    .max(maximum, {
      error: () => `The text is too long. The most is ${maximum.toLocaleString('en')} characters.`,
    }),
);

/** The id of a record of a family. */
export const idSchema = oncePer((family: string) => {
  const message = (issue: { input: unknown }) =>
    `${shown(issue.input)} is not the id of a record (${family}). Give a whole number from 1.`;
  return z.int({ error: message }).min(1, { error: message });
});

export const booleanSchema = once(() =>
  z.boolean({
    error: issue =>
      `${shown(issue.input)} is not a yes or no. Give true or false (0 and 1 are read as well).`,
  }),
);

/** The id of a record in a path or a query. */
export const givenIdSchema = oncePer(() => z.int().min(1));

/** Text that holds a whole number. */
export const idText = oncePer(() => z.string().regex(/^\d+$/).describe('Text that holds a whole number'));
