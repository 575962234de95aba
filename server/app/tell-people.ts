import type { Logger } from 'pino';
import { families } from '../../shared/families/registry.ts';
import type { Tokens } from '../identity/tokens.ts';
import type { Store } from '../store/store.ts';

interface Told {
  store: Store;
  log: Logger;
  isCentral: boolean;
  /** Of the central that this station belongs to; undefined where it is none. */
  address: string | undefined;
  tokens: Pick<Tokens, 'limitedNames'>;
}

/** At the start: who administers what, where that is not what it was when an installation stood alone. */
export function tellPeople({ store, log, isCentral, address, tokens }: Told): void {
  if (isCentral && !store.database.damage) tellStations(store, log);
  const names = address === undefined ? [] : tokens.limitedNames();
  if (names.length > 0) {
    log.info(
      `Users and settings are changed at central: ${address}. Here no token administers: ${names.join(', ')} count as operator and inspector.`,
    );
  }
}

/** Once for each station: an old one offers them with every message. */
export function tellForeignSecrets(
  log: Logger,
  nameOf: (stationId: number) => string,
): (stationId: number | undefined, count: number) => void {
  const told = new Set<number>();
  return (stationId, count) => {
    if (stationId === undefined || told.has(stationId)) return;
    told.add(stationId);
    log.warn(
      { station: nameOf(stationId), passwords: count },
      'A station sent passwords of users. They are not taken: passwords are set at central.',
    );
  };
}

/** Former versions let stations write users and settings. They stay as they are, and somebody should look. */
function tellStations(store: Store, log: Logger): void {
  const foreign = Object.values(families)
    .filter(({ writer }) => writer === 'central')
    .flatMap(({ name }) => [...store.records.all(name)])
    .filter(({ station }) => station !== store.station);
  if (foreign.length === 0) return;
  const keys = foreign.map(({ key }) => key).slice(0, 20);
  log.info(
    { records: keys },
    `${foreign.length} of the users and settings were last written by a station, which no station can any more. Look whether they are right: Setup, Users.`,
  );
}
