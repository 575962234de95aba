import { z } from 'zod';
import { type FindProxy, proxyInAnswer } from '../network/proxy.ts';

const answerSchema = z.object({ type: z.literal('proxy'), id: z.number(), answer: z.string() });
/** Milliseconds: a proxy script is fetched first. An app that does not answer keeps nothing from trying the direct way. */
const PATIENCE_MS = 10_000;

/** Asks the desktop app, of whose utility process this is, by which proxy the system reaches a host. */
export function askAppForProxy(): FindProxy {
  const waiting = new Map<number, (answer: string) => void>();
  let asked = 0;
  process.on('message', message => {
    const { success, data } = answerSchema.safeParse(message);
    if (success) waiting.get(data.id)?.(data.answer);
  });
  return async (host, port) => {
    const id = ++asked;
    const { promise, resolve } = Promise.withResolvers<string>();
    waiting.set(id, resolve);
    const late = setTimeout(() => resolve('DIRECT'), PATIENCE_MS);
    process.send?.({
      type: 'find-proxy',
      id,
      url: `https://${host.includes(':') ? `[${host}]` : host}:${port}/`,
    });
    const answer = await promise;
    clearTimeout(late);
    waiting.delete(id);
    return proxyInAnswer(answer);
  };
}
