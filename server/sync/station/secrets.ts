import { secretsAnswerSchema } from '../../../shared/operations/identity-operations.ts';
import type { Secrets } from '../../identity/secrets.ts';
import type { Store } from '../../store/store.ts';
import type { CentralClient } from '../client/central-client.ts';

export interface SecretsExchangeOptions {
  store: Pick<Store, 'gate'>;
  secrets: Secrets;
  client: Pick<CentralClient, 'request'>;
  signal: AbortSignal;
  /** Own commits that central has neither decided nor held. */
  unsent: () => number;
}

/**
 * The hashes of passwords of who signs in here come from central, beside the log: every answer of central names the digest of those,
 * and while it is another than this station's, the station asks for all of them. It tells none: only central writes passwords.
 */
export class SecretsExchange {
  readonly #options: SecretsExchangeOptions;
  #running: Promise<void> | undefined;

  constructor(options: SecretsExchangeOptions) {
    this.#options = options;
  }

  /** Resolves when this station has central's, or at once when it has. One at a time. */
  agree(digest: string | undefined): Promise<void> {
    if (digest === undefined || digest === this.#options.secrets.digest()) return Promise.resolve();
    return this.take();
  }

  /** Asks central, also where nothing says that there is anything new. */
  take(): Promise<void> {
    this.#running ??= this.#ask().finally(() => {
      this.#running = undefined;
    });
    return this.#running;
  }

  /** The same, of what central has from now on. */
  async takeAnew(): Promise<void> {
    await this.#running?.catch(() => undefined);
    await this.take();
  }

  async #ask(): Promise<void> {
    const { client, store, secrets, signal, unsent } = this.#options;
    const since = secrets.digest();
    const body = { since, changed: [] };
    const answer = secretsAnswerSchema.parse(
      await client.request('POST', '/x/stations/secrets', body, { signal }),
    );
    // It changed back meanwhile: there is nothing to take.
    if (answer.cursor === since) return;
    // Who signed in here while central was away stands in what is still to be sent.
    const keepsOthers = unsent() > 0;
    await store.gate.together(async () => secrets.replaceAll(answer.changed, { keepsOthers }));
  }
}
