import type { Commit } from '../../store/history.ts';

/** The commits of the last two messages, so that they are not read again when central's log brings them back. */
export class RecentlySent {
  #last = new Map<string, Commit>();
  #before = new Map<string, Commit>();

  add(commits: readonly Commit[]): void {
    this.#before = this.#last;
    this.#last = new Map(commits.map(commit => [placeOf(commit.chain, commit.number), commit]));
  }

  get(chain: string, number: number): Commit | undefined {
    const place = placeOf(chain, number);
    return this.#last.get(place) ?? this.#before.get(place);
  }

  clear(): void {
    this.#last.clear();
    this.#before.clear();
  }
}

function placeOf(chain: string, number: number): string {
  return `${chain} ${number}`;
}
