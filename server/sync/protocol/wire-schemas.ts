import { z } from 'zod';
import { KEY_TEXT, SIGNATURE_TEXT } from '../../keys/ed25519.ts';
import type { Doubled, HeldOffAnswer } from './proof.ts';
import { type Answer, PAGE_LIMIT, type Request } from './wire.ts';

/**
 * What comes from another machine. Members that this version does not know are kept where a hash covers them, and
 * values of fields are taken as they are: what a record may hold is a matter of holds, not of the protocol.
 */
const text = z.string().max(200);
const count = z.int().min(0);
const name = z.string().min(1).max(200);
const path = z.string().min(1).max(500);

const place = z.object({ sequence: count, hash: text });

const cursor = z.object({ epoch: text, sequence: count, hash: text, countersignature: text });

const change = z.looseObject({
  path,
  old: z.unknown(),
  new: z.unknown(),
  over: z.array(name),
});

const entry = z.looseObject({ subject: name, changes: z.array(change) });

/** A record stands once in a commit: history keeps it so, and no machine could write it otherwise. */
const entries = z
  .array(entry)
  .refine(all => all.length < 2 || new Set(all.map(({ subject }) => subject)).size === all.length, {
    error: 'A record stands twice in a commit. Say all of it in one entry.',
  });

export const commitSchema = z.looseObject({
  chain: name,
  number: z.int().min(1),
  commit_id: name,
  at: text,
  clock_offset: z.number().nullable(),
  user: text,
  reason: z.string().nullable(),
  entries,
  previous_hash: text,
  hash: name,
});

export const siblingSchema = z.looseObject({ commit: name, value: z.unknown() });

const pathEffect = z.looseObject({
  path,
  value: z.unknown(),
  siblings: z.array(siblingSchema).exactOptional(),
});

const subjectEffects = z.looseObject({ subject: name, isNew: z.boolean(), paths: z.array(pathEffect) });

const decision = z.looseObject({
  commit_id: name,
  outcome: z.enum(['applied', 'held', 'lost', 'repeated', 'withdrawn']),
  reason: z.string().nullable(),
  effects: z.array(subjectEffects),
});

const signedHead = z.object({ chain: name, number: count, hash: text, countersignature: text });

export const proofSchema = z.object({
  count,
  proof: text,
  countersignature: text,
  since: z.array(name).max(1_000).exactOptional(),
  next: name,
});

const keyText = z.string().regex(KEY_TEXT);
const signatureText = z.string().regex(SIGNATURE_TEXT);

const signedEnd = z.object({
  says: z.literal('holdpoint: chain'),
  chain: name,
  number: z.int().min(1),
  hash: name,
  key: keyText,
  signature: signatureText,
});

const asking = {
  request: name,
  station: name,
  protocol: z.int().min(1),
  cursor,
  proof: proofSchema.exactOptional(),
};

const means = z.record(name, name);

/** A station's request, parsed by central after the protocol's version was found in its range. */
export const requestSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('push'),
    ...asking,
    offers: z
      .array(
        z.object({
          commit: commitSchema,
          countersignature: text,
          means: means.exactOptional(),
        }),
      )
      .max(PAGE_LIMIT),
    commits: z.array(commitSchema).max(PAGE_LIMIT),
    ends: z.array(signedEnd).max(PAGE_LIMIT).exactOptional(),
    offered: z.object({ key: keyText, signature: signatureText }).exactOptional(),
    means: z.record(name, means).exactOptional(),
  }),
  z.object({
    kind: z.literal('pull'),
    ...asking,
    limit: z.int().min(1).max(PAGE_LIMIT),
    size: z.int().min(1).exactOptional(),
    packed: z
      .array(z.object({ chain: name, number: count, hash: text }))
      .max(PAGE_LIMIT)
      .exactOptional(),
  }),
  z.object({ kind: z.literal('prefix'), ...asking, low: count, high: count }),
  z.object({
    kind: z.literal('snapshot'),
    ...asking,
    at: place.nullable(),
    after: text.nullable(),
    size: z.int().min(1).exactOptional(),
  }),
]) satisfies z.ZodType<Request>;

const answering = { request: name, epoch: text, last: count, heads: z.array(signedHead) };

const refusal = z.object({
  chain: name,
  number: z.int().min(1),
  reason: z.enum(['fork', 'gap', 'hash', 'foreign']),
});

const pageEntry = z.looseObject({
  sequence: z.int().min(1),
  commit: commitSchema,
  decisions: z.array(decision).min(1),
  hash: name,
  countersignature: text,
});

const packedEntry = z.object({
  known: z.object({ chain: name, number: z.int().min(1) }).exactOptional(),
  commit: commitSchema.omit({ hash: true }).extend({ previous_hash: text.exactOptional() }).exactOptional(),
  decisions: z.array(decision).min(1).exactOptional(),
  countersignature: text,
});

/** What central says of the station's proof. */
export const agreedSchema = proofSchema.omit({ next: true, since: true });

/** That several machines call as the station. */
export const doubledSchema = z.object({
  machine: z.string(),
  noticed_at: z.string(),
  is_decided: z.boolean(),
}) satisfies z.ZodType<Doubled>;

export const heldOffSchema = doubledSchema.extend({
  kind: z.literal('held_off'),
}) satisfies z.ZodType<HeldOffAnswer>;

/** Central's answer, parsed by a station. The records of a snapshot are parsed by the store. */
export const answerSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('push'),
    ...answering,
    refused: refusal.nullable(),
    unverified: z.array(name),
    known: z.array(name).default([]),
  }),
  z.object({
    kind: z.literal('page'),
    ...answering,
    from: place,
    entries: z.array(pageEntry).max(PAGE_LIMIT),
    packed: z.array(packedEntry).max(PAGE_LIMIT).exactOptional(),
    to: cursor,
  }),
  z.object({ kind: z.literal('cursor_unknown'), ...answering, rungs: z.array(cursor).min(1).max(100) }),
  z.object({
    kind: z.literal('snapshot'),
    ...answering,
    at: cursor,
    until: place,
    records: z.array(z.unknown()).max(PAGE_LIMIT),
    after: text.nullable(),
    start: z
      .object({
        heads: z.array(signedHead),
        held: z.array(z.object({ commit: commitSchema, reason: z.string() })),
        withdrawn: z.array(name),
      })
      .nullable(),
  }),
]) satisfies z.ZodType<Answer>;
