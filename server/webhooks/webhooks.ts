import { randomUUID } from 'node:crypto';
import { rootCertificates } from 'node:tls';
import type { z } from 'zod';
import { AppError, invalid } from '../../shared/contract/errors.ts';
import { familyOf } from '../../shared/families/registry.ts';
import type {
  PauseCause,
  Webhook,
  WebhookDeliveries,
  WebhookWithSecret,
  webhookCreateSchema,
  webhookUpdateSchema,
} from '../../shared/operations/webhook-operations.ts';
import type { AuditEvent } from '../audit/event.ts';
import type { Trail } from '../audit/trail.ts';
import { PROGRAM_VERSION } from '../store/program-version.ts';
import type { Store } from '../store/store.ts';
import { webhookTable } from '../store/webhook-table.ts';
import { Delivery, PACE, type Pace } from './delivery.ts';
import type { Queued } from './delivery-queue.ts';
import type { Message, MessageSource } from './message-source.ts';
import { createPoster, type Outcome } from './post-message.ts';
import { openSecretBox } from './secret-box.ts';
import { readSubscription, type Subscription, signingBoxes, withoutQuery } from './subscription.ts';
import { checkTarget, type Lookup, type TargetFault, type TargetPolicy } from './target.ts';
import { newWebhookSecret, publicHalfOf, signatureHeader } from './webhook-signature.ts';

export type Webhooks = ReturnType<typeof createWebhooks>;
export type WantedWebhook = z.infer<typeof webhookCreateSchema>;
export type WebhookChange = z.infer<typeof webhookUpdateSchema>;
/** Who does it, as the audit trail has it. */
export type By = Pick<AuditEvent, 'author' | 'author_name' | 'address'>;

/** What tests set otherwise. */
export interface WebhookTuning {
  pace?: Partial<Pace>;
  timeLimit?: number;
  lookup?: Lookup;
}

export interface WebhooksOptions {
  store: Pick<Store, 'database' | 'gate'>;
  /** The data folder. */
  folder: string;
  source: MessageSource;
  trail: Pick<Trail, 'with'>;
  policy: TargetPolicy;
  /** PEM, of authorities besides the usual ones. */
  authorities: string | undefined;
  clock: () => Date;
  /** False for a command that is its own and only client: another process will send. */
  isSending: boolean;
  onFault: (error: unknown) => void;
  tuning?: WebhookTuning | undefined;
}

/** Of one machine. */
const MOST = 20;
const SHOWN = 100;
const HOUR_MS = 3_600_000;

interface Held {
  subscription: Subscription;
  delivery: Delivery;
}

/** The webhooks of this machine: who is told of what changes, and what came of it. */
export function createWebhooks(options: WebhooksOptions) {
  const { store, folder, source, trail, policy, clock, isSending, onFault, tuning } = options;
  const { database, gate } = store;
  const table = webhookTable(database);
  const box = openSecretBox(folder);
  const authorities =
    options.authorities === undefined ? undefined : [...rootCertificates, options.authorities];
  const poster = createPoster({ policy, authorities, lookup: tuning?.lookup, timeLimit: tuning?.timeLimit });
  const all = new Map<number, Held>();
  let isStarted = false;
  const stopFollowing = gate.follow(() => {
    for (const { delivery } of all.values()) delivery.wake();
  });

  function hold(id: number, subscription: Subscription): Held {
    const held: Held = {
      subscription,
      delivery: new Delivery({
        source,
        wanted: () => held.subscription,
        post: (message, signal) => post(held.subscription, message, signal),
        write: changes => gate.briefly(() => table.write(id, changes)),
        onPause: cause => void pauseByItself(id, cause).catch(onFault),
        onFault,
        now: clock,
        pace: { ...PACE, ...tuning?.pace },
        cursor: table.cursor(id) ?? '',
        stored: table.messages(id),
      }),
    };
    all.set(id, held);
    if (isStarted && subscription.paused === null) held.delivery.start();
    return held;
  }

  async function post(subscription: Subscription, message: Message, signal?: AbortSignal): Promise<Outcome> {
    const now = clock();
    const secrets = signingBoxes(subscription, now.toISOString()).flatMap(sealed => box.open(sealed) ?? []);
    if (secrets.length === 0) return { result: 'no_secret', status: null, milliseconds: 0 };
    const timestamp = Math.floor(now.getTime() / 1_000);
    const { id, body } = message;
    const headers = {
      'content-type': 'application/json',
      'user-agent': `Holdpoint/${PROGRAM_VERSION}`,
      'webhook-id': id,
      'webhook-timestamp': String(timestamp),
      'webhook-signature': signatureHeader(secrets, { id, timestamp, body }),
    };
    return poster.post({ url: subscription.url, headers, body, signal });
  }

  function start(): void {
    if (!isSending || isStarted || database.damage) return;
    for (const { id, settings } of table.list()) hold(id, readSubscription(settings));
    isStarted = true;
    for (const { subscription, delivery } of all.values()) if (subscription.paused === null) delivery.start();
  }

  /** Others than this have written the table: the machine has joined a central. */
  async function reload(): Promise<void> {
    if (!isStarted) return;
    for (const { delivery } of all.values()) await delivery.close(false);
    all.clear();
    isStarted = false;
    start();
  }

  /** Another process sends from now on, and begins with what is noted. */
  async function stop(): Promise<void> {
    isStarted = false;
    const deliveries = [...all.values()].map(({ delivery }) => delivery.close(false));
    all.clear();
    await Promise.all(deliveries);
  }

  async function pauseByItself(id: number, cause: PauseCause): Promise<void> {
    const held = all.get(id);
    if (!held || held.subscription.paused) return;
    const { name, url } = held.subscription;
    const details = { webhook: name, url: withoutQuery(url), cause };
    await change(id, { paused: { cause, at: clock().toISOString(), by: null } }, [
      { kind: 'webhook_paused', details },
    ]);
  }

  async function change(id: number, to: Partial<Subscription>, events: AuditEvent[]): Promise<Held> {
    const held = require(id);
    const next = { ...held.subscription, ...to };
    await trail.with(events, () => table.update(id, JSON.stringify(next)));
    held.subscription = next;
    return held;
  }

  function require(id: number): Held {
    const held = all.get(id);
    if (held) return held;
    throw new AppError('not_found', `There is no webhook ${id}.`);
  }

  function list(): Webhook[] {
    return [...all].map(([id, held]) => shownOf(id, held));
  }

  function shownOf(id: number, { subscription, delivery }: Held): Webhook {
    const { name, url, families, kinds, algorithm, secrets, created_at, created_by, paused } = subscription;
    const now = clock().toISOString();
    const former = secrets.find(({ until }) => until !== null && until > now);
    return {
      ...{ id, name, url, families, kinds, algorithm },
      public_keys: signingBoxes(subscription, now).flatMap(
        sealed => publicHalfOf(box.open(sealed) ?? '') ?? [],
      ),
      secret_at: secrets[0]?.at ?? created_at,
      former_secret_until: former?.until ?? null,
      ...{ created_at, created_by, paused },
      waiting: delivery.queue.parked,
      dead: delivery.queue.dead.size,
      failures: delivery.failures,
      delivered_at: delivery.deliveredAt,
    };
  }

  async function create(wanted: WantedWebhook, by: By): Promise<WebhookWithSecret> {
    requireSending();
    await refuseTarget(wanted.url);
    const secret = newWebhookSecret(wanted.algorithm);
    const at = clock().toISOString();
    const { name, url, algorithm } = wanted;
    const subscription: Subscription = {
      ...{ name, url, algorithm },
      families: chosenFamilies(wanted.families),
      kinds: wanted.kinds?.length ? wanted.kinds : null,
      secrets: [{ box: box.seal(secret), at, until: null }],
      created_at: at,
      created_by: by.author ?? '',
      paused: null,
    };
    const cursor = wanted.since ?? source.cursorOf(source.end(), source.epoch());
    if (source.placeOf(cursor) === 'reset')
      throw invalid({
        since: ['The place leads nowhere any more. Read everything again, and give the cursor of now.'],
      });
    const event = { ...by, kind: 'webhook_created', details: detailsOf(subscription) } as const;
    const id = await trail.with([event], () => {
      refuseSame(name);
      return table.insert(JSON.stringify(subscription), cursor);
    });
    return withSecret(id, hold(id, subscription), secret);
  }

  async function update(id: number, wanted: WebhookChange, by: By): Promise<Webhook> {
    const held = require(id);
    const before = held.subscription;
    if (wanted.url !== undefined) await refuseTarget(wanted.url);
    const { name = before.name, url = before.url, is_paused: isPaused } = wanted;
    if (name !== before.name) refuseSame(name);
    const families = wanted.families === undefined ? before.families : chosenFamilies(wanted.families);
    const kinds = wanted.kinds === undefined ? before.kinds : wanted.kinds?.length ? wanted.kinds : null;
    const paused =
      isPaused === undefined
        ? before.paused
        : isPaused
          ? (before.paused ?? { cause: 'person' as const, at: clock().toISOString(), by: by.author ?? null })
          : null;
    const next = { name, url, families, kinds, paused };
    if (before.paused && !paused && !canSign(before))
      throw new AppError('conflict', 'Its secret cannot be read on this machine. Give it a new one first.');
    const isOther = JSON.stringify({ ...before, ...next }) !== JSON.stringify(before);
    if (!isOther) return shownOf(id, held);
    const details = { ...detailsOf({ ...before, ...next }), of: before.name };
    await change(id, next, [{ ...by, kind: 'webhook_changed', details }]);
    if (paused) held.delivery.pause();
    else if (isStarted && (before.paused || url !== before.url)) held.delivery.resume();
    return shownOf(id, held);
  }

  async function remove(id: number, by: By): Promise<string> {
    const { subscription, delivery } = require(id);
    const event = { ...by, kind: 'webhook_removed', details: detailsOf(subscription) } as const;
    await trail.with([event], () => table.remove(id));
    all.delete(id);
    await delivery.close(false);
    return subscription.name;
  }

  async function rotate(id: number, overlapHours: number, by: By): Promise<WebhookWithSecret> {
    const { subscription } = require(id);
    const now = clock();
    const secret = newWebhookSecret(subscription.algorithm);
    const until = new Date(now.getTime() + overlapHours * HOUR_MS).toISOString();
    const [present] = subscription.secrets;
    // The one before that ends now: a receiver is given one at a time.
    const former = present && overlapHours > 0 ? [{ ...present, until }] : [];
    const secrets = [{ box: box.seal(secret), at: now.toISOString(), until: null }, ...former];
    const details = { webhook: subscription.name, overlap_hours: overlapHours };
    const held = await change(id, { secrets }, [{ ...by, kind: 'webhook_rotated', details }]);
    return withSecret(id, held, secret);
  }

  async function test(id: number): Promise<Outcome> {
    const { subscription } = require(id);
    const at = clock().toISOString();
    const data = { webhook: subscription.name };
    return post(subscription, {
      id: `msg_test_${randomUUID()}`,
      record: '',
      type: 'test',
      body: JSON.stringify({ type: 'test', timestamp: at, data }),
    });
  }

  /** What was given up goes behind what waits of its record. */
  async function replay(id: number, chosen: readonly string[] | undefined, by: By): Promise<number> {
    const { subscription, delivery } = require(id);
    const messages = deadOf(delivery, chosen);
    if (messages.length === 0) return 0;
    const details = { webhook: subscription.name, messages: messages.length };
    await trail.with([{ ...by, kind: 'webhook_replayed', details }], () => undefined);
    delivery.replay(messages);
    await delivery.note();
    return messages.length;
  }

  async function discard(id: number, chosen: readonly string[] | undefined, by: By): Promise<number> {
    const { subscription, delivery } = require(id);
    const messages = deadOf(delivery, chosen);
    if (messages.length === 0) return 0;
    const details = { webhook: subscription.name, messages: messages.map(({ id: message }) => message) };
    await trail.with([{ ...by, kind: 'webhook_discarded', details }], () => undefined);
    for (const message of messages) delivery.queue.discard(message);
    await delivery.note();
    return messages.length;
  }

  function deliveries(id: number): WebhookDeliveries {
    const { recent, queue } = require(id).delivery;
    const row = ({ id: message, type, record, attempts, failedAt, last }: Queued) => ({
      ...{ id: message, type, record: record === '' ? null : record, attempts, failed_at: failedAt, last },
    });
    return {
      recent: recent.map(({ record, ...each }) => ({ ...each, record: record === '' ? null : record })),
      waiting: queue
        .waiting()
        .slice(0, SHOWN)
        .map(message => ({ ...row(message), due_at: message.dueAt })),
      dead: [...queue.dead.values()].slice(0, SHOWN).map(row),
    };
  }

  /** What administrators are to look at, a sentence each; null: nothing. */
  function says(): string | null {
    const sentences = [...all.values()].flatMap(({ subscription: { name, paused }, delivery }) => {
      if (paused && paused.cause !== 'person')
        return `The webhook "${name}" sends nothing: ${PAUSED[paused.cause]}`;
      const { size } = delivery.queue.dead;
      return size > 0 ? `The webhook "${name}" has given up messages: ${size}.` : [];
    });
    return sentences.length > 0 ? sentences.join('\n') : null;
  }

  async function close(): Promise<void> {
    stopFollowing();
    isStarted = false;
    await Promise.all([...all.values()].map(({ delivery }) => delivery.close()));
    poster.close();
  }

  function withSecret(id: number, held: Held, secret: string): WebhookWithSecret {
    return { ...shownOf(id, held), secret: held.subscription.algorithm === 'hmac' ? secret : null };
  }

  function canSign(subscription: Subscription): boolean {
    return signingBoxes(subscription, clock().toISOString()).some(sealed => box.open(sealed) !== undefined);
  }

  function requireSending(): void {
    if (all.size >= MOST)
      throw new AppError('conflict', `A machine has at most ${MOST} webhooks. Remove one first.`);
    if (isStarted) return;
    throw new AppError(
      'unavailable',
      'Nothing is sent from here now. Start the server, and have its store whole.',
    );
  }

  /** What leads nowhere now may do so later: a machine need not be in its network yet. */
  async function refuseTarget(url: string): Promise<void> {
    const checked = await checkTarget(new URL(url), policy, tuning?.lookup);
    const fault = 'fault' in checked ? checked.fault : 'unresolved';
    if (fault !== 'unresolved') throw invalid({ url: [REFUSED[fault]] });
  }

  function refuseSame(name: string): void {
    const isTaken = [...all.values()].some(({ subscription }) => subscription.name === name);
    if (isTaken) throw invalid({ name: [`There is a webhook "${name}" already. Choose another name.`] });
  }

  return {
    start,
    stop,
    reload,
    list,
    create,
    update,
    remove,
    rotate,
    test,
    replay,
    discard,
    deliveries,
    says,
    close,
  };
}

function deadOf({ queue }: Delivery, chosen: readonly string[] | undefined): Queued[] {
  const wanted = chosen && new Set(chosen);
  const found = [...queue.dead.values()].filter(({ id }) => !wanted || wanted.has(id));
  const missing = chosen?.find(id => !queue.dead.has(id));
  if (missing === undefined) return found;
  throw invalid({ messages: [`${JSON.stringify(missing)} is none of the messages that were given up.`] });
}

function chosenFamilies(names: readonly string[] | null | undefined): string[] | null {
  const chosen = (names ?? []).flatMap(name => familyOf(name)?.name ?? []);
  return chosen.length > 0 ? [...new Set(chosen)] : null;
}

function detailsOf({ name, url, families, kinds, algorithm, paused }: Subscription) {
  return {
    webhook: name,
    url: withoutQuery(url),
    ...(families && { families }),
    ...(kinds && { kinds }),
    algorithm,
    ...(paused && { cause: paused.cause }),
  };
}

const REFUSED: Record<Exclude<TargetFault, 'unresolved'>, string> = {
  refused_address:
    'This machine may not send there: the address leads to the machine itself, a private network or a service of the network. Whoever runs the machine can list it in HOLDPOINT_WEBHOOK_TARGETS.',
  plain_http:
    'Give an address with https://: what is sent over the Internet by http:// can be read on the way.',
};

const PAUSED: Record<Exclude<PauseCause, 'person'>, string> = {
  gone: 'its receiver answered that it is gone.',
  failing: 'nothing has arrived for about three days.',
  dead_letters: 'too many messages were given up.',
  no_secret: 'its secret cannot be read on this machine.',
  joined: 'this machine has joined a central.',
};
