export interface FleetSize {
  name: string;
  stations: number;
  /** Runs of the bad network, each with seeds of its own. */
  seeds: number;
  /** Writes at each station in each of these runs. */
  operations: number;
  /** What all stations have to have asked central in these runs together. */
  requests: number;
  /** Of each kind. */
  pairs: number;
  /** Of stations, and as many of central. */
  kills: number;
}

/** `HOLDPOINT_SYNC=full` runs the kit at its full size. */
export const fleetSize: FleetSize =
  process.env.HOLDPOINT_SYNC === 'full'
    ? {
        name: 'the full size',
        stations: 5,
        seeds: 10,
        operations: 500,
        requests: 10_000,
        pairs: 1_000,
        kills: 200,
      }
    : {
        name: 'the short size',
        stations: 3,
        seeds: 3,
        operations: 300,
        requests: 200,
        pairs: 100,
        kills: 10,
      };
