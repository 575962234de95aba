import { secretsAnswerSchema } from '../../../shared/operations/identity-operations.ts';
import { isNewer, type Secrets } from '../../identity/secrets.ts';
import type { Store } from '../../store/store.ts';
import type { CentralClient } from '../client/central-client.ts';

export interface SecretsExchangeOptions {
  store: Pick<Store, 'gate'>;
  secrets: Secrets;
  client: Pick<CentralClient, 'request'>;
  signal: AbortSignal;
}

/**
 * Passwords' hashes between a station and its central, beside the log: every answer of central names the digest of its
 * own, and while it is another than this station's, both tell what the other lacks. Nothing is remembered of what was
 * sent, so that no restore on either side can leave one behind.
 */
export class SecretsExchange {
  readonly #options: SecretsExchangeOptions;
  #running: Promise<void> | undefined;

  constructor(options: SecretsExchangeOptions) {
    this.#options = options;
  }

  /** Resolves when both have the same, or at once when they have. One at a time. */
  agree(digest: string | undefined): Promise<void> {
    if (digest === undefined || digest === this.#options.secrets.digest()) return Promise.resolve();
    this.#running ??= this.#exchange().finally(() => {
      this.#running = undefined;
    });
    return this.#running;
  }

  async #exchange(): Promise<void> {
    const { store, secrets } = this.#options;
    const theirs = await this.#ask([]);
    const known = new Map(theirs.map(secret => [secret.user_id, secret]));
    await store.gate.together(async () => secrets.merge(theirs));
    const lacking = secrets.all().filter(own => {
      const other = known.get(own.user_id);
      return !other || isNewer(own, other);
    });
    for (let from = 0; from < lacking.length; from += LIMIT)
      await this.#ask(lacking.slice(from, from + LIMIT));
  }

  async #ask(changed: ReturnType<Secrets['all']>): Promise<ReturnType<Secrets['all']>> {
    const { client, secrets, signal } = this.#options;
    const body = { since: secrets.digest(), changed };
    return secretsAnswerSchema.parse(await client.request('POST', '/x/stations/secrets', body, { signal }))
      .changed;
  }
}

const LIMIT = 1_000;
