import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { z } from 'zod';
import { client } from '../api/client.ts';
import { useSession } from '../api/session.ts';

/** What is typed is on the disk this long after the last key. */
const PACE_MS = 400;

const storedSchema = z.object({ data: z.unknown(), at: z.string() });

export interface Draft<Data> {
  /** Undefined until it is known whether there is one; null: there is none. */
  found: Data | null | undefined;
  /** When it was typed, ISO 8601. */
  at: string | null;
  keep: (data: Data) => void;
  discard: () => Promise<void>;
}

/**
 * What a user has typed and not saved, under a key such as `new supplier`. The server keeps it on the disk, for this user,
 * so that a crash, a power cut or another user in between loses none of it; while the server is away the browser does.
 */
export function useDraft<Data>(key: string): Draft<Data> {
  const { session } = useSession();
  const local = `holdpoint.draft.${session?.user?.id ?? 0}.${key}`;
  const [found, setFound] = useState<{ data: Data; at: string } | null>();
  const waiting = useRef<{ timer: ReturnType<typeof setTimeout>; data: Data; copy: string }>(undefined);

  useEffect(() => {
    const controller = new AbortController();
    readDraft(key, local, controller.signal).then(
      draft => setFound(draft as { data: Data; at: string } | null),
      () => {
        // The screen was left.
      },
    );
    return () => controller.abort();
  }, [key, local]);

  const send = useCallback(
    async (data: Data, copy: string) => {
      await client.call('x.drafts.update', { params: { key }, body: { data } });
      // What was typed meanwhile has a copy of its own.
      if (localStorage.getItem(local) === copy) localStorage.removeItem(local);
    },
    [key, local],
  );

  const keep = useCallback(
    (data: Data) => {
      clearTimeout(waiting.current?.timer);
      const copy = keepCopy(local, data);
      const timer = setTimeout(() => {
        waiting.current = undefined;
        // While the server is away, the browser's copy stands in.
        send(data, copy).catch(() => {});
      }, PACE_MS);
      waiting.current = { timer, data, copy };
    },
    [send, local],
  );

  // A screen that is left within the pace still keeps its last keys.
  useEffect(
    () => () => {
      if (!waiting.current) return;
      clearTimeout(waiting.current.timer);
      send(waiting.current.data, waiting.current.copy).catch(() => {});
      waiting.current = undefined;
    },
    [send],
  );

  const discard = useCallback(async () => {
    clearTimeout(waiting.current?.timer);
    waiting.current = undefined;
    localStorage.removeItem(local);
    setFound(null);
    await client.call('x.drafts.update', { params: { key }, body: { data: null } });
  }, [key, local]);

  return useMemo(
    () => ({ found: found === null ? null : found?.data, at: found?.at ?? null, keep, discard }),
    [found, keep, discard],
  );
}

/** Between two messages to the server, and while it is away, the browser's own storage has the last keys. */
function keepCopy(local: string, data: unknown): string {
  const copy = JSON.stringify({ data, at: new Date().toISOString() });
  try {
    localStorage.setItem(local, copy);
  } catch {
    // It is full, or switched off: the server keeps the draft all the same.
  }
  return copy;
}

async function readDraft(key: string, local: string, signal: AbortSignal) {
  const kept = parseStored(localStorage.getItem(local));
  try {
    const { data } = await client.call('x.drafts.read', {
      params: { key },
      signal,
    });
    if (!data) return kept;
    return kept && kept.at > data.at ? kept : data;
  } catch {
    signal.throwIfAborted();
    // The server is away; what the browser has is the newest there is.
    return kept;
  }
}

function parseStored(text: string | null): { data: unknown; at: string } | null {
  if (text === null) return null;
  try {
    const parsed = storedSchema.parse(JSON.parse(text));
    return { data: parsed.data, at: parsed.at };
  } catch {
    // Cut off by a crash; the server's copy counts.
    return null;
  }
}
