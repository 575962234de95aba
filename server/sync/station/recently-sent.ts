import type { Commit } from '../../store/changes.ts';

/** Two that central has not answered yet, and the one whose entries its log brings meanwhile. */
const MESSAGES = 3;

/** The commits of the last messages, so that they are not read again when central's log brings them back. */
export class RecentlySent {
  #messages: Map<string, Commit>[] = [];

  add(commits: readonly Commit[]): void {
    const message = new Map(commits.map(commit => [placeOf(commit.chain, commit.number), commit]));
    this.#messages = [message, ...this.#messages].slice(0, MESSAGES);
  }

  get(chain: string, number: number): Commit | undefined {
    const place = placeOf(chain, number);
    for (const message of this.#messages) {
      const commit = message.get(place);
      if (commit) return commit;
    }
    return undefined;
  }

  clear(): void {
    this.#messages = [];
  }
}

function placeOf(chain: string, number: number): string {
  return `${chain} ${number}`;
}
