import { z } from 'zod';
import { ANY_CHANGE_PLACE } from '../contract/change-place.ts';
import { successSchema } from '../contract/envelope.ts';
import { isoTimestampSchema, listOf, named, shown } from '../contract/field-schemas.ts';
import { defineOperation, idParameter, jsonBody, noBody } from '../contract/operation.ts';
import { familyOf } from '../families/registry.ts';

/** What happens to a record, as `/x/changes` names it. */
export const CHANGE_KINDS = ['created', 'changed', 'removed', 'answer'] as const;
export const WEBHOOK_ALGORITHMS = ['hmac', 'ed25519'] as const;
export type WebhookAlgorithm = (typeof WEBHOOK_ALGORITHMS)[number];

/** What came of an attempt to deliver. */
export const DELIVERY_RESULTS = [
  'delivered',
  'answered',
  'gone',
  'redirect',
  'timeout',
  'unresolved',
  'unreachable',
  'closed',
  'certificate',
  'no_http',
  'proxy',
  'refused_address',
  'plain_http',
  'no_secret',
  'stopped',
] as const;
export type DeliveryResult = (typeof DELIVERY_RESULTS)[number];

/** Why a subscription sends nothing. */
export const PAUSE_CAUSES = ['person', 'gone', 'failing', 'dead_letters', 'no_secret', 'joined'] as const;
export type PauseCause = (typeof PAUSE_CAUSES)[number];

/** Hours in which both secrets sign, unless said otherwise, and at most. */
export const OVERLAP_HOURS = 24;
export const LONGEST_OVERLAP_HOURS = 7 * 24;

const name = z
  .string({ error: 'Give the name as text.' })
  .trim()
  .min(1, { error: 'A webhook needs a name.' })
  .max(100, { error: 'At most 100 characters.' })
  .describe('What people call it.')
  .meta({ examples: ['ERP'] });
const url = z
  .string({ error: 'Give the address of the receiver as text.' })
  .trim()
  .min(1, { error: 'Give the address of the receiver.' })
  .superRefine((text, context) => {
    const message = addressFault(text);
    if (message !== undefined) context.addIssue({ code: 'custom', message });
  })
  .describe('Where messages go, by POST: `https://…`, or `http://…` to this machine and private networks.')
  .meta({ examples: ['http://127.0.0.1:8080/hooks'] });
const families = z
  .array(
    z.string().superRefine((text, context) => {
      if (familyOf(text)) return;
      context.addIssue({ code: 'custom', message: `There is no family ${shown(text)}.` });
    }),
  )
  .max(200)
  .nullable()
  .describe(
    'Only these families; null or none: all but what the machine notes of itself. Of people and settings a message says that there is a change, and not what.',
  )
  .meta({ examples: [['supplier', 'inventory']] });
const kinds = z
  .array(z.enum(CHANGE_KINDS, { error: `One of: ${CHANGE_KINDS.join(', ')}.` }))
  .nullable()
  .describe('Only what happens so; null or none: all of it.');

const requestShape = { name, url, families: families.optional(), kinds: kinds.optional() };

export const webhookCreateSchema = named('WebhookCreate', {
  ...requestShape,
  algorithm: z
    .enum(WEBHOOK_ALGORITHMS, { error: `One of: ${WEBHOOK_ALGORITHMS.join(', ')}.` })
    .default('hmac')
    .describe(
      '`hmac`: a secret that the receiver has as well (`v1`). `ed25519`: the receiver has a public key only (`v1a`).',
    ),
  since: z
    .string()
    .regex(ANY_CHANGE_PLACE, {
      error: 'Give the cursor of an answer as it came, or leave it out to begin now.',
    })
    .optional()
    .describe(
      'Where to begin: a `cursor` of `/x/changes`; `0` for everything that history here has. Absent: from now on.',
    )
    .meta({ examples: ['0'] }),
});

export const webhookUpdateSchema = named('WebhookUpdate', {
  name: name.optional(),
  url: url.optional(),
  families: families.optional(),
  kinds: kinds.optional(),
  is_paused: z
    .boolean({ error: 'Give true or false.' })
    .optional()
    .describe('True: it sends nothing until it is false again, and nothing is lost meanwhile.'),
});

export const webhookRotateSchema = named('WebhookRotate', {
  overlap_hours: z
    .int({ error: 'Give hours as a whole number.' })
    .min(0, { error: 'Give 0 hours or more.' })
    .max(LONGEST_OVERLAP_HOURS, { error: `At most ${LONGEST_OVERLAP_HOURS} hours.` })
    .default(OVERLAP_HOURS)
    .describe('For so long both secrets sign each message; 0: the former one ends at once.'),
});

export const webhookChosenSchema = named('WebhookChosen', {
  messages: z
    .array(z.string().max(100))
    .max(1_000)
    .optional()
    .describe('The `webhook-id` of each; absent: all that were given up.'),
});

const attempt = {
  result: z
    .enum(DELIVERY_RESULTS)
    .describe(
      '`delivered`: the receiver answered 2xx. `answered`: it answered something else. `gone`: it answered 410. `redirect`: it leads elsewhere, which nobody follows. `timeout`: it took over ten seconds. `refused_address`, `plain_http`: this machine may not send there, or not without TLS. `stopped`: the server ended meanwhile.',
    ),
  status: z.int().nullable().describe('The status that the receiver answered; null: none.'),
  milliseconds: z.int().describe('How long it took.'),
};
export const attemptSchema = named('WebhookAttempt', attempt);

export const webhookSchema = named('Webhook', {
  id: z.int().describe('Its id on this machine.'),
  name: z.string().describe('What people call it.'),
  url: z.string().describe('Where messages go.'),
  families: z.array(z.string()).nullable().describe('Only these families; null: all.'),
  kinds: z.array(z.enum(CHANGE_KINDS)).nullable().describe('Only what happens so; null: all of it.'),
  algorithm: z.enum(WEBHOOK_ALGORITHMS).describe('How it signs.'),
  public_keys: z
    .array(z.string())
    .describe('`whpk_…`: what a receiver checks Ed25519 signatures with, the newest first; none for HMAC.'),
  secret_at: isoTimestampSchema().describe('When its secret was made.'),
  former_secret_until: isoTimestampSchema()
    .nullable()
    .describe('Until then the secret of before signs as well; null: it does not.'),
  created_at: isoTimestampSchema().describe('When it was made.'),
  created_by: z.string().describe('Who made it.'),
  paused: z
    .object({
      cause: z
        .enum(PAUSE_CAUSES)
        .describe(
          '`person`: somebody paused it. `gone`: the receiver answered 410. `failing`: nothing arrived for about three days. `dead_letters`: too many messages were given up. `no_secret`: its secret cannot be read on this machine. `joined`: the machine joined a central.',
        ),
      at: isoTimestampSchema().describe('Since when.'),
      by: z.string().nullable().describe('Who paused it; null: the machine itself.'),
    })
    .nullable()
    .describe('Why it sends nothing; null: it sends.'),
  waiting: z
    .int()
    .describe('Messages that failed and are tried again, with those of the same records behind them.'),
  dead: z.int().describe('Messages that were given up.'),
  failures: z.int().describe('Attempts that failed one after the other, with none that arrived between.'),
  delivered_at: isoTimestampSchema()
    .nullable()
    .describe('When one arrived last, since this server started; null: none.'),
});
export type Webhook = z.infer<typeof webhookSchema>;

const secretSchema = webhookSchema
  .extend({
    secret: z
      .string()
      .nullable()
      .describe(
        '`whsec_…`, for the receiver. It is in this answer only; null for Ed25519, whose private key stays here.',
      ),
  })
  .meta({ id: 'WebhookWithSecret' });
export type WebhookWithSecret = z.infer<typeof secretSchema>;

const message = {
  id: z.string().describe('Its `webhook-id`: the same for the same change, however often it is sent.'),
  type: z.string().describe('`supplier.changed`; `reset` where everything is to be read anew.'),
  record: z.string().nullable().describe('Family and id of the record; null where it is about many.'),
};

const deliveriesSchema = named('WebhookDeliveries', {
  recent: listOf({
    ...message,
    ...attempt,
    at: isoTimestampSchema().describe('When.'),
  }).describe('The last attempts since this server started, the newest first.'),
  waiting: listOf({
    ...message,
    attempts: z.int().describe('How often it was tried.'),
    failed_at: isoTimestampSchema()
      .nullable()
      .describe('When it failed last; null: it waits for an earlier one.'),
    due_at: isoTimestampSchema().describe('When it is tried again.'),
    last: attemptSchema.nullable().describe('What came of the last attempt.'),
  }).describe('What is tried again, at most 100, in order.'),
  dead: listOf({
    ...message,
    attempts: z.int().describe('How often it was tried.'),
    failed_at: isoTimestampSchema().nullable().describe('When it failed last.'),
    last: attemptSchema.nullable().describe('What came of the last attempt.'),
  }).describe('What was given up, at most 100, in order.'),
});
export type WebhookDeliveries = z.infer<typeof deliveriesSchema>;

const LONGEST_ADDRESS = 2_000;

/** What is wrong with the address of a receiver, in words; where it leads to is judged when it is used. */
export function addressFault(text: string): string | undefined {
  if (text.length > LONGEST_ADDRESS)
    return `The address is too long. The most is ${LONGEST_ADDRESS} characters.`;
  if (!URL.canParse(text))
    return 'Give the whole address of the receiver, such as https://example.com/hooks.';
  const { protocol, username, password } = new URL(text);
  if (protocol !== 'https:' && protocol !== 'http:')
    return 'The address must begin with https:// or http://.';
  if (username !== '' || password !== '')
    return 'The address may hold no user and password: it is shown. What is sent is signed instead.';
  return text.includes('#') ? 'Leave out what follows the #: no receiver sees it.' : undefined;
}

/** Webhooks of this machine: who is told of changes, and what came of it. */
export function webhookOperations() {
  const parameters = { id: idParameter('Id of the webhook') };
  const count =
    <Member extends string>(member: Member, description: string) =>
    () =>
      successSchema(z.object({ [member]: z.int().describe(description) } as Record<Member, z.ZodInt>));
  return [
    defineOperation('x.webhooks.list', 'GET', '/x/webhooks', 'Webhooks', {
      summary: 'The webhooks of this machine, and how they stand',
      answer: () => successSchema(z.array(webhookSchema)),
      scope: 'admin',
    }),
    defineOperation('x.webhooks.create', 'POST', '/x/webhooks', 'Webhooks', {
      summary: 'Tell a receiver of changes by Standard Webhooks. The secret is in this answer only',
      body: jsonBody(() => webhookCreateSchema),
      answer: () => successSchema(secretSchema),
      success: 201,
      errors: [409, 422, 507],
      scope: 'admin',
    }),
    defineOperation('x.webhooks.update', 'PATCH', '/x/webhooks/{id}', 'Webhooks', {
      summary: 'Change a webhook, pause it, or let it go on',
      parameters,
      body: jsonBody(() => webhookUpdateSchema),
      answer: () => successSchema(webhookSchema),
      errors: [404, 409, 422, 507],
      scope: 'admin',
    }),
    defineOperation('x.webhooks.rotate', 'POST', '/x/webhooks/{id}/rotate', 'Webhooks', {
      summary: 'Give a webhook a new secret; for a time the former one signs as well',
      parameters,
      body: { ...jsonBody(() => webhookRotateSchema), isOptional: true },
      answer: () => successSchema(secretSchema),
      errors: [404, 422, 507],
      scope: 'admin',
    }),
    defineOperation('x.webhooks.test', 'POST', '/x/webhooks/{id}/test', 'Webhooks', {
      summary: 'Send a message of the type `test` now, and say what came of it',
      parameters,
      body: noBody,
      answer: () => successSchema(attemptSchema),
      errors: [404, 422],
      scope: 'admin',
    }),
    defineOperation('x.webhooks.deliveries', 'GET', '/x/webhooks/{id}/deliveries', 'Webhooks', {
      summary: 'The last attempts of a webhook, what is tried again, and what was given up',
      parameters,
      answer: () => successSchema(deliveriesSchema),
      errors: [404],
      scope: 'admin',
    }),
    defineOperation('x.webhooks.replay', 'POST', '/x/webhooks/{id}/replay', 'Webhooks', {
      summary: 'Send again what was given up, behind what waits of the same records',
      parameters,
      body: { ...jsonBody(() => webhookChosenSchema), isOptional: true },
      answer: count('replayed', 'How many are sent again.'),
      errors: [404, 422, 507],
      scope: 'admin',
    }),
    defineOperation('x.webhooks.discard', 'POST', '/x/webhooks/{id}/discard', 'Webhooks', {
      summary: 'Throw away what was given up',
      parameters,
      body: { ...jsonBody(() => webhookChosenSchema), isOptional: true },
      answer: count('discarded', 'How many were thrown away.'),
      errors: [404, 422, 507],
      scope: 'admin',
    }),
    defineOperation('x.webhooks.remove', 'POST', '/x/webhooks/{id}/remove', 'Webhooks', {
      summary: 'Remove a webhook, with what waits for it',
      parameters,
      body: noBody,
      answer: () => successSchema(z.object({ removed: z.string().describe('The name of it.') })),
      errors: [404, 422, 507],
      scope: 'admin',
    }),
  ];
}
