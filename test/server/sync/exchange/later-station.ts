import { hash as digest, randomUUID } from 'node:crypto';
import type { Commit, Entry } from '../../../../server/store/changes.ts';
import type { LogEntry } from '../../../../server/sync/protocol/log.ts';
import { FIRST_CURSOR, type Request } from '../../../../server/sync/protocol/wire.ts';
import { canonicalJson } from '../../../../shared/contract/canonical-json.ts';
import { START } from '../../store/temporary-store.ts';

/** Members of any name, as a later version adds them. */
type Further = Record<string, unknown>;

/** Of a commit: what a test does not say is filled in. */
export type LaterCommit = Partial<Omit<Commit, 'entries'>> & { entries: (Entry & Further)[] } & Further;

interface Page {
  entries: (LogEntry & Further)[];
  to: typeof FIRST_CURSOR;
  rungs?: (typeof FIRST_CURSOR)[];
}

/**
 * A later version of the program at a station: it speaks the protocol by itself, with members, families, collections
 * and messages that this version does not know, and hashes by the rule alone (SHA-256 of canonical JSON).
 */
export class LaterStation {
  readonly station = randomUUID();
  readonly chain = `${this.station}.00000001`;
  readonly sent: (Commit & Further)[] = [];
  readonly #carry: (request: Request) => Promise<object>;

  constructor(carry: (request: Request) => Promise<object>) {
    this.#carry = carry;
  }

  /** The next commit of its chain. */
  commit({ entries, ...members }: LaterCommit): Commit & Further {
    const last = this.sent.at(-1);
    const content = {
      chain: this.chain,
      number: this.sent.length + 1,
      commit_id: randomUUID(),
      at: START,
      clock_offset: null,
      user: 'newer program',
      reason: null,
      entries,
      previous_hash: last?.hash ?? '',
      ...members,
    };
    const commit = { ...content, hash: digest('sha256', canonicalJson(content)) };
    this.sent.push(commit);
    return commit;
  }

  /** Writes and sends; answers what central refused, null for nothing. */
  async push(...commits: LaterCommit[]): Promise<unknown> {
    const made = commits.map(one => this.commit(one));
    const { to } = await this.pull();
    const answer = await this.ask({ kind: 'push', cursor: to, offers: [], commits: made });
    return Reflect.get(answer, 'refused');
  }

  /** Central's whole log as it says it, without what it has from this station left out. */
  async pull(): Promise<Page> {
    const first = await this.page(FIRST_CURSOR);
    const entries = [];
    let page = first.rungs ? await this.page(first.rungs[0] ?? FIRST_CURSOR) : first;
    for (;;) {
      entries.push(...page.entries);
      if (page.entries.length === 0) return { ...page, entries };
      page = await this.page(page.to);
    }
  }

  /** Any message. */
  ask(message: object): Promise<object> {
    const asking = { request: randomUUID(), station: this.station, protocol: 1, ...message };
    return this.#carry(asking as Request);
  }

  async page(cursor: typeof FIRST_CURSOR): Promise<Page> {
    return (await this.ask({ kind: 'pull', cursor, limit: 1_000 })) as Page;
  }
}
