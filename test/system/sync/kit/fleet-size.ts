export interface FleetSize {
  name: string;
  stations: number;
  /** One for each run of the bad network, which has machines of its own. */
  seeds: readonly number[];
  /** Writes at each machine in each of these runs. */
  operations: number;
  /** What all stations have to have asked central in each of these runs together. */
  requests: number;
  /** Of each kind. */
  pairs: number;
  /** Of stations, and as many of central. */
  kills: number;
}

const SEED = 20_261_121;

/** The size that environment variables ask for; `HOLDPOINT_SYNC=full` is the full one. */
export const fleetSize = sizeOf(process.env);

/** `HOLDPOINT_SYNC_SEED` runs one seed alone, `HOLDPOINT_SYNC_SEEDS` so many from the first. */
export function sizeOf(env: NodeJS.ProcessEnv): FleetSize {
  const size =
    env.HOLDPOINT_SYNC === 'full'
      ? { name: 'the full size', seeds: 20, operations: 2_000, requests: 500, pairs: 1_000, kills: 50 }
      : { name: 'the short size', seeds: 1, operations: 60, requests: 60, pairs: 15, kills: 3 };
  const first = Number(env.HOLDPOINT_SYNC_SEED ?? SEED);
  const count = env.HOLDPOINT_SYNC_SEED === undefined ? Number(env.HOLDPOINT_SYNC_SEEDS ?? size.seeds) : 1;
  return { ...size, stations: 3, seeds: Array.from({ length: count }, (_, index) => first + index) };
}
