import { createServer } from 'node:net';
import type { ServerFailure } from './server-supervisor.ts';

/** Where integrations look for a station (`HOLDPOINT_PORT` of the server's configuration). */
export const USUAL_PORT = 4870;

/** Whether another program of this machine listens there. */
export function isPortTaken(port: number): Promise<boolean> {
  return new Promise(resolve => {
    const trial = createServer();
    trial.once('error', () => resolve(true));
    trial.listen({ port, host: '127.0.0.1', exclusive: true }, () => trial.close(() => resolve(false)));
  });
}

/**
 * Whether a server that refused is started again at a free port: another person at this machine has the usual one, with data
 * of their own. Integrations know the usual one, so nobody moves who was told a port, and each start tries it first.
 */
export async function shouldMove(
  why: ServerFailure,
  {
    chosen,
    hasMoved,
    isTaken = isPortTaken,
  }: { chosen: string | undefined; hasMoved: boolean; isTaken?: typeof isPortTaken },
): Promise<boolean> {
  return why === 'refused' && !chosen && !hasMoved && isTaken(USUAL_PORT);
}
