import { z } from 'zod';
import { OBJECTIONS } from './line.ts';
import { QUESTIONS, REFUSALS, type Why } from './take.ts';

const lineSchema = z.object({
  part: z.number().nullable(),
  lot: z.string(),
  expiry: z.string(),
  accepted: z.string(),
  rejected: z.string(),
  unit: z.string().nullable(),
  location: z.number().nullable(),
  sscc: z.string().nullable().default(null),
  template: z.number().nullable(),
  key: z.string(),
  scanned: z.object({
    labels: z.array(z.string()),
    serials: z.array(z.string()),
    plain: z.number(),
    isPlainLast: z.boolean(),
    expired: z.enum(['accept', 'reject']).nullable(),
    allowed: z.array(z.enum(OBJECTIONS)).default([]),
  }),
});

const answersSchema = z.object({
  part: z.number().nullish(),
  unit: z.string().nullish(),
  expired: z.enum(['accept', 'reject']).optional(),
  rejects: z.boolean().optional(),
  allowed: z.array(z.enum(OBJECTIONS)).optional(),
  again: z.boolean().optional(),
  count: z.enum(['all', 'more']).optional(),
  plain: z.number().optional(),
  adds: z.boolean().optional(),
});

const detailsSchema = z.object({
  message: z.string().optional(),
  code: z.string().optional(),
  lot: z.string().nullish(),
  expiry: z.string().nullish(),
  part: z.number().nullish(),
  quantity: z.number().nullish(),
  serial: z.string().nullish(),
  plain: z.number().optional(),
  open: z.number().nullish(),
});

const scanShape = {
  text: z.string(),
  why: z.enum([...QUESTIONS, ...REFUSALS]),
  details: detailsSchema,
  at: z.string(),
};

/** What the server keeps of a receipt beside its saved lines, by who scanned it: `x.open-scans`. */
const storedSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('line'),
    line: lineSchema,
    /** As it was sent, while nobody knows whether it arrived. */
    sending: lineSchema.nullable(),
    /** The window and the machine that it is entered at. */
    slot: z.string(),
    machine: z.string(),
    touched: z.string(),
  }),
  z.object({
    kind: z.literal('scan'),
    ...scanShape,
    outcome: z.enum(['question', 'refused']),
    answers: answersSchema,
    slot: z.string(),
    machine: z.string(),
  }),
  /** A saved line: its labels and serial numbers are not taken once more. */
  z.object({
    kind: z.literal('saved'),
    item: z.number(),
    labels: z.array(z.string()),
    serials: z.array(z.string()),
  }),
  /** A scan that somebody left out, and why. */
  z.object({ kind: z.literal('left'), ...scanShape, reason: z.string() }),
]);

export type Stored = z.infer<typeof storedSchema>;
export type StoredOf<Kind extends Stored['kind']> = Extract<Stored, { kind: Kind }>;

export interface Entry<Data extends Stored = Stored> {
  key: string;
  /** Who has put it there; null: it is not known yet. */
  by: string | null;
  data: Data;
}

export type OpenScan = Entry<StoredOf<'scan'>>;

const answeredSchema = z.array(
  z.object({ key: z.string(), by: z.string().nullable(), at: z.string(), data: z.unknown() }),
);

/** What cannot be read any more was scanned all the same: it is shown as damaged until somebody settles it. */
export function entriesOf(answer: unknown): Entry[] {
  return answeredSchema.parse(answer).map(({ key, by, at, data }) => {
    const read = storedSchema.safeParse(data);
    const damaged = {
      kind: 'scan' as const,
      text: key,
      why: 'damaged' as Why,
      details: {},
      at,
      outcome: 'refused' as const,
      answers: {},
      slot: '',
      machine: '',
    };
    return { key, by, data: read.success ? read.data : damaged };
  });
}

export function isOf<Kind extends Stored['kind']>(kind: Kind) {
  return (entry: Entry): entry is Entry<StoredOf<Kind>> => entry.data.kind === kind;
}

export interface Change {
  key: string;
  /** Null takes it away. */
  data: Stored | null;
}

/** As they stand once the changes are made. */
export function changed(entries: readonly Entry[], changes: Iterable<Change>): Entry[] {
  const result = new Map(entries.map(entry => [entry.key, entry]));
  for (const { key, data } of changes) {
    if (data === null) result.delete(key);
    else result.set(key, { key, by: result.get(key)?.by ?? null, data });
  }
  return [...result.values()];
}
