import { z } from 'zod';

export interface SyncWatchOptions {
  /** Where the server is; undefined while it does not run. */
  origin: () => string | undefined;
  /** With which the app itself, not a person, asks the server that it has started. */
  token: string;
  /** Gets every new sentence; null while there is none. */
  onSays: (says: string | null) => void;
  fetch?: typeof fetch;
  /** Milliseconds between two questions. */
  interval?: number;
}

const answerSchema = z.object({ data: z.object({ says: z.string() }) });
/** Of a tray's tip on Windows. */
const LONGEST = 120;

/** How the exchange stands, in the server's words, for the tray. */
export function watchSync({
  origin,
  token,
  onSays,
  fetch: send = fetch,
  interval = 15_000,
}: SyncWatchOptions) {
  let told: string | null = null;

  async function look(): Promise<void> {
    const says = await ask();
    if (says === told) return;
    told = says;
    onSays(says);
  }

  async function ask(): Promise<string | null> {
    const server = origin();
    if (server === undefined) return null;
    try {
      const answer = await send(`${server}/api/v2/x/sync`, { headers: { Authorization: `Bearer ${token}` } });
      const parsed = answerSchema.safeParse(await answer.json());
      return parsed.success ? shortened(parsed.data.data.says) : null;
    } catch {
      // The server ended meanwhile; its supervisor tells of that.
      return null;
    }
  }

  const timer = setInterval(() => void look(), interval);
  timer.unref();
  return { look, close: () => clearInterval(timer) };
}

function shortened(text: string): string {
  return text.length <= LONGEST ? text : `${text.slice(0, LONGEST - 1)}…`;
}
