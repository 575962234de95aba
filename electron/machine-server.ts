import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  type MachineServer,
  machineServerPlaces,
  machineServerSchema,
} from '../shared/contract/machine-server.ts';
import type { Installation } from './data-folder.ts';
import {
  AGAIN_MS,
  answers,
  type ServerState,
  type ServerSupervisor,
  type ServerSupervisorOptions,
  WATCH_MS,
} from './server-supervisor.ts';

const DATABASE = 'holdpoint.db';

/**
 * Where the server of the machine says where it is, if this app is its client: the service is installed, and this person has no
 * installation of their own, which would be another one. `HOLDPOINT_DATA` asks for one; `HOLDPOINT_SERVICE` for that server.
 */
export function machineServerOf(
  { platform, env, folder }: Pick<Installation, 'platform' | 'env'> & { folder: string },
  isThere: (path: string) => boolean = existsSync,
): string | undefined {
  if (env.HOLDPOINT_SERVICE) return env.HOLDPOINT_SERVICE;
  if (env.HOLDPOINT_DATA) return undefined;
  const { definitions, told } = machineServerPlaces(platform, env);
  return definitions.some(isThere) && !isThere(join(folder, DATABASE)) ? told : undefined;
}

export interface MachineServerOptions
  extends Pick<ServerSupervisorOptions, 'onState' | 'onPolicy' | 'isAnswering' | 'startLimit'> {
  /** The file in which it says where it is. */
  path: string;
}

/**
 * The server of the machine, in the place of an own one: used while it answers, waited for while it does not (it is being
 * updated, or starts again), and never started or stopped from here.
 */
export function connectMachineServer(options: MachineServerOptions): ServerSupervisor {
  const { path, onState, onPolicy = () => {}, isAnswering = answers, startLimit = 30_000 } = options;
  let state: ServerState = { kind: 'stopped' };
  let timer: NodeJS.Timeout | undefined;
  /** Milliseconds for which nobody has answered. */
  let missed = 0;
  let run = 0;

  const become = (next: ServerState) => {
    state = next;
    onState(next);
  };

  async function look(own: number): Promise<void> {
    const told = readTold(path);
    const isThere = told !== undefined && (await isAnswering(told.origin));
    if (own !== run) return;
    if (isThere) {
      missed = 0;
      onPolicy(told.policy);
      if (state.kind !== 'elsewhere' || state.origin !== told.origin)
        become({ kind: 'elsewhere', origin: told.origin });
    } else {
      missed += AGAIN_MS;
      if (state.kind !== 'waiting') become({ kind: 'waiting', waitMs: AGAIN_MS });
      if (missed >= startLimit) {
        run += 1;
        return become({ kind: 'failed', why: 'no_service' });
      }
    }
    timer = setTimeout(() => void look(own), isThere ? WATCH_MS : AGAIN_MS);
  }

  function begin(): void {
    clearTimeout(timer);
    run += 1;
    void look(run);
  }

  function end(): void {
    clearTimeout(timer);
    run += 1;
    become({ kind: 'stopped' });
  }

  return {
    state: () => state,
    origin: () => ('origin' in state ? state.origin : undefined),
    start() {
      if (state.kind !== 'failed' && state.kind !== 'stopped') return;
      missed = 0;
      become({ kind: 'starting' });
      begin();
    },
    async stop() {
      end();
    },
    tellToStop() {
      end();
      return undefined;
    },
    wake() {
      if (state.kind === 'elsewhere' || state.kind === 'waiting') begin();
    },
  };
}

function readTold(path: string): MachineServer | undefined {
  try {
    return machineServerSchema.safeParse(JSON.parse(readFileSync(path, 'utf8'))).data;
  } catch {
    // Not there: it starts, or is gone.
    return undefined;
  }
}
