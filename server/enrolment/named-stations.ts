import { hash } from 'node:crypto';
import { canonicalJson } from '../../shared/contract/canonical-json.ts';
import type { StationNames } from '../../shared/contract/station-names.ts';

type NamedStation = StationNames['stations'][number];

/** Names in one answer, at most. */
const LIMIT = 1_000;

/**
 * Central's stations as people call them, revoked ones included: they stand in history. Each beginning of the list has
 * a stamp, so that a station that knows one is told only what came since. A name that changed, or a central that was
 * restored, gives other stamps, and then the whole list is told.
 */
export class NamedStations {
  readonly #stations: readonly NamedStation[];
  readonly #names: ReadonlyMap<string, string>;
  /** Of the first none, one, two, … stations. */
  readonly #stamps: readonly string[];

  /** @param stations in the order of their enrolment */
  constructor(stations: readonly NamedStation[]) {
    this.#stations = stations.map(({ station, name }) => ({ station, name }));
    this.#names = new Map(stations.map(({ station, name }) => [station, name]));
    const stamps = [''];
    for (const [index, named] of this.#stations.entries()) {
      stamps.push(`${index + 1}:${sha256(canonicalJson([stamps[index], named]))}`);
    }
    this.#stamps = stamps;
  }

  nameOf(station: string): string | null {
    return this.#names.get(station) ?? null;
  }

  /** What one who has the list of this stamp lacks; undefined for nothing. */
  since(stamp: string): StationNames | undefined {
    if (stamp === this.#stamps.at(-1)) return undefined;
    const count = Number.parseInt(stamp, 10) || 0;
    const isKnown = this.#stamps[count] === stamp;
    const from = isKnown ? count : 0;
    const stations = this.#stations.slice(from, from + LIMIT);
    return {
      after: isKnown ? stamp : null,
      stamp: this.#stamps[from + stations.length] ?? '',
      stations,
    };
  }
}

export function sha256(text: string): string {
  return hash('sha256', text, 'hex');
}
