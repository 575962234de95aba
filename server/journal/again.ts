import { DatabaseError } from 'pg';

/** Of what was refused because others were at work. */
const ATTEMPTS = 20;
const PAUSE_MS = 25;

/** Again, where the server says that others were in the way. */
export async function again<Result>(run: () => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await run();
    } catch (error) {
      if (attempt === ATTEMPTS || !isInTheWay(error)) throw error;
    }
    await new Promise(resolve => setTimeout(resolve, Math.random() * PAUSE_MS));
  }
}

/** Serialization, deadlock, or two that make the same table. */
function isInTheWay(error: unknown): boolean {
  const code = error instanceof DatabaseError ? error.code : undefined;
  return code === '40001' || code === '40P01' || code === '23505' || code === '42P07' || code === '42710';
}
