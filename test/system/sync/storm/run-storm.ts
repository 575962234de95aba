import { setTimeout as sleep } from 'node:timers/promises';
import type { Attention } from '../../../../shared/operations/overview-operations.ts';
import { PASSWORD } from '../../../server/identity/browser.ts';
import { environmentOf, holdpoint } from '../../../server/transfer/holdpoint.ts';
import type { Station } from '../../../support/station.ts';
import { readStoredFile } from '../../faults/stored-file.ts';
import type { Machine } from '../kit/machine-file.ts';
import { dataOf } from '../kit/process-fleet.ts';
import { Author } from './author.ts';
import { checkStorm, numbersTwice, type StormEvidence, type StormViolation } from './check-storm.ts';
import { CENTRAL, drawPlan, MOST_CLONES, type Move } from './plan.ts';
import { type Place, StormSite } from './storm-site.ts';

/** Two at each machine; those who come to a clone are the first again. */
const CHAIRS = 2;
const LOGINS = ['ann', 'ben', 'cleo', 'dora', 'emil', 'finn', 'gina', 'hugo'];
const SUPPLIERS = 4;
const PACE_MS = 250;

export interface StormOptions {
  seed: number;
  /** Of the storm itself, without its beginning and its end. */
  durationMs: number;
  /** Hears of each move. */
  say?: (line: string) => void;
  /** How long each author waits between two writes, on average. */
  paceMs?: number;
  /** How many people there are: two write at each machine, the first again where all have one. At least four. */
  people?: number;
  /** Hears where the machines have their data when they never come in step, before the storm ends by that fault. */
  onUnquiet?: (machines: readonly Machine[]) => void;
  /** `STORM` unless given. */
  kind?: StormKind;
}

/** Whom a storm befalls, and what. */
export interface StormKind {
  start: (seed: number, say?: (line: string) => void) => Promise<StormSite>;
  draw: (seed: number, durationMs: number) => Move[];
}

const STORM: StormKind = { start: StormSite.start, draw: drawPlan };

export interface StormReport {
  violations: StormViolation[];
  evidence: StormEvidence;
  /** How many writes ended how, and how often what befell whom. */
  figures: Record<string, number>;
  /** How long it took until all were in step. */
  quietMs: number;
}

/** A storm of a seed, the quiet after it, and what is not as it must be. `judge` gets the report while the folders are there. */
export async function runStorm<Result>(
  {
    seed,
    durationMs,
    say = () => {},
    paceMs = PACE_MS,
    people = LOGINS.length,
    onUnquiet = () => {},
    kind = STORM,
  }: StormOptions,
  judge: (report: StormReport) => Result | Promise<Result>,
): Promise<Result> {
  const site = await kind.start(seed, say);
  try {
    const logins = LOGINS.slice(0, people);
    const part = await settle(site, logins);
    const seat = { part, seed, logins };
    const over = new AbortController();
    const authors = await seated(site, seat);
    const writing = authors.map(author => author.writeUntil(over.signal, paceMs));
    site.onMachine = place => {
      for (let chair = 0; chair < CHAIRS; chair += 1) {
        const author = authorAt(site, place, { ...seat, index: writing.length });
        writing.push(author.writeUntil(over.signal, paceMs));
      }
    };
    try {
      await site.storm(kind.draw(seed, durationMs));
      say('the storm is over');
    } catch (error) {
      site.abandon();
      throw error;
    } finally {
      over.abort();
      await Promise.all(writing);
    }
    const began = performance.now();
    await site.quiet().catch(fault => {
      onUnquiet(site.fleet.machines);
      throw fault;
    });
    say('all are in step');
    const quietMs = Math.round(performance.now() - began);
    return await judge(await reportOf(site, quietMs));
  } finally {
    await site.close();
  }
}

/** Its people, the stock, and the suppliers that all write to. Returns the part's id. */
async function settle(site: StormSite, logins: readonly string[]): Promise<number> {
  const { central } = site.fleet;
  for (const login of logins) {
    const user = { login, name: login, roles: ['quality'], password: PASSWORD, is_password_temporary: false };
    dataOf(await central.post('/x/users', user));
  }
  const part = dataOf(await central.post('/parts', { name: 'Jar', unit_of_measure: 'units' }));
  const { id } = part as { id: number };
  const place = site.places.get(CENTRAL);
  if (!place) throw new Error('There is no central.');
  const author = authorAt(site, place, { part: id, index: 0, seed: 0, logins });
  await author.create('receipt');
  for (let count = 0; count < SUPPLIERS; count += 1) await author.create('supplier');
  await author.create('order');
  await site.fleet.untilInStep();
  return id;
}

/**
 * Two at each machine, signed in. Who comes to a clone has been at each station with central in reach: who has not cannot sign
 * there, and what they write is held.
 */
async function seated(site: StormSite, seat: Omit<Seat, 'index'>): Promise<Author[]> {
  const authors: Author[] = [];
  const comeToClones = seat.logins.slice(0, MOST_CLONES * CHAIRS);
  for (const place of site.places.values()) {
    const own = Array.from({ length: CHAIRS }, (_, chair) => authors.length + chair);
    for (const index of own) {
      const author = authorAt(site, place, { ...seat, index });
      await author.signIn();
      authors.push(author);
    }
    if (place.name === CENTRAL) continue;
    const here = own.map(index => index % seat.logins.length);
    for (const index of comeToClones.keys())
      if (!here.includes(index)) await authorAt(site, place, { ...seat, index }).signIn();
  }
  return authors;
}

interface Seat {
  part: number;
  seed: number;
  logins: readonly string[];
  /** The how many-th author of the storm it is. */
  index: number;
}

function authorAt(site: StormSite, place: Place, { part, index, seed, logins }: Seat): Author {
  return new Author(site.writes, {
    login: logins[index % logins.length] ?? '',
    address: () => place.front.origin,
    origin: () => place.front.target,
    life: () => place.life,
    part,
    seed: seed * 100 + index,
  });
}

async function reportOf(site: StormSite, quietMs: number): Promise<StormReport> {
  const twice = numbersTwice(readStoredFile(site.fleet.central.folder).records);
  const shownTwice = await Promise.all(site.fleet.all.map(station => shownAt(station, twice)));
  const violations: StormViolation[] = site.faults.map(what => ({ letter: 'history', what }));
  for (const { name, station } of site.fleet.members) {
    const { code, output } = await holdpoint(environmentOf(station), 'verify', '--central');
    if (code !== 0) violations.push({ letter: 'verify', what: `${name}: ${output.trim()}` });
  }
  // That they were verified is noted, and synced.
  await site.fleet.untilInStep();
  for (const what of await site.judge()) violations.push({ letter: 'verify', what });
  const evidence = { machines: site.fleet.machines, writes: site.writes.all, shownTwice };
  violations.push(...(await checkStorm(evidence)));
  return { violations, evidence, figures: figuresOf(site), quietMs };
}

/** How many records are shown as having the number of another: what is wanted, or what it still is after a while. */
async function shownAt(station: Station, wanted: number): Promise<number> {
  for (let wait = 0; ; wait += 1) {
    const groups = dataOf(await station.get('/x/attention')) as Attention;
    const shown = groups.find(({ kind }) => kind === 'numbers_twice')?.total ?? 0;
    if (shown === wanted || wait === 100) return shown;
    await sleep(100);
  }
}

function figuresOf(site: StormSite): Record<string, number> {
  const { writes, counts, places } = site;
  const count = (isIt: (write: (typeof writes.all)[number]) => boolean) => writes.all.filter(isIt).length;
  return {
    acknowledged: count(({ outcome }) => outcome === 'acknowledged'),
    refused: count(({ outcome }) => outcome === 'refused'),
    'without an answer': count(({ outcome }) => outcome === 'open'),
    'lost with a disk': count(({ outcome, isLost }) => isLost && outcome === 'acknowledged'),
    decisions: count(({ outcome, kind }) => outcome === 'acknowledged' && kind === 'decision'),
    machines: places.size,
    ...Object.fromEntries([...counts].sort()),
    ...Object.fromEntries(Object.entries(site.networkFaults()).map(([kind, n]) => [`network ${kind}`, n])),
  };
}
