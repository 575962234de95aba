import { sameJson } from '../../../shared/contract/canonical-json.ts';
import type { Cursor, PullRequest, Request } from '../protocol/wire.ts';

/**
 * The next page of the log, asked for when one has arrived and before it is taken: central reads while this station
 * writes. Should the page not be taken, the answer is for nobody.
 */
export class PagePrefetch<Answer> {
  readonly #exchange: (request: Request) => Promise<Answer>;
  #asked: { request: PullRequest; answer: Promise<Answer> } | undefined;

  constructor(exchange: (request: Request) => Promise<Answer>) {
    this.#exchange = exchange;
  }

  /** Asks as the last page was asked for, from its end. `name` is one that was never used. */
  ask(last: PullRequest, cursor: Cursor, name: string): void {
    const request = { ...last, request: name, cursor };
    const answer = this.#exchange(request);
    // Whoever waits for it learns why it failed.
    answer.catch(() => undefined);
    this.#asked = { request, answer };
  }

  /** The name of the request that asked for what is after the cursor, if there is one; any other is given up. */
  nameAt(cursor: Cursor): string | undefined {
    if (this.#asked && !sameJson(this.#asked.request.cursor, cursor)) this.#asked = undefined;
    return this.#asked?.request.request;
  }

  giveUp(): void {
    this.#asked = undefined;
  }

  /** The answer that is coming to the request of this name. It is waited for once. */
  answerTo({ request: name, kind }: Request): Promise<Answer> | undefined {
    const asked = this.#asked;
    if (kind === 'push') return undefined;
    this.#asked = undefined;
    return asked?.request.request === name ? asked.answer : undefined;
  }
}
