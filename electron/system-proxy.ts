import { z } from 'zod';

const questionSchema = z.object({
  type: z.literal('find-proxy'),
  id: z.number(),
  url: z.url({ protocol: /^https$/ }),
});

export interface SystemProxyOptions {
  /** As `Session.resolveProxy`: what the system, a policy or its script says. */
  resolve: (url: string) => Promise<string>;
  answer: (message: { type: 'proxy'; id: number; answer: string }) => void;
}

/** Answers the server's question by which proxy an address is reached; other messages are not its concern. */
export async function answerProxyQuestion(
  message: unknown,
  { resolve, answer }: SystemProxyOptions,
): Promise<void> {
  const { success, data } = questionSchema.safeParse(message);
  if (success) answer({ type: 'proxy', id: data.id, answer: await resolve(data.url) });
}
