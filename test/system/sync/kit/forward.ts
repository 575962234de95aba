import { request as httpRequest, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';

/** A request, read to its end. */
export interface Received {
  method: string;
  /** With the query. */
  path: string;
  headers: IncomingHttpHeaders;
  bytes: Buffer;
}

/** An answer, read to its end, with its body as it was packed. */
export interface Forwarded {
  status: number;
  headers: IncomingHttpHeaders;
  bytes: Buffer;
}

/** What concerns one connection and no other. */
const HOP_HEADERS = ['connection', 'host', 'keep-alive', 'transfer-encoding', 'content-length'];

/** Asks the target as the client asked. Rejects where the target is not there or its answer breaks off. */
export async function forward(target: string, received: Received): Promise<Forwarded> {
  const answer = await askTarget(target, received);
  const bytes = await readBody(answer);
  return { status: answer.statusCode ?? 0, headers: withoutHops(answer.headers), bytes };
}

/** The answer as it begins, for one that does not end. */
export function askTarget(
  target: string,
  { method, path, headers, bytes }: Received,
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const length = bytes.length > 0 ? { 'content-length': bytes.length } : {};
    const asking = httpRequest(
      new URL(path, target),
      { method, headers: { ...withoutHops(headers), ...length }, agent: false },
      resolve,
    );
    asking.on('error', reject).end(bytes);
  });
}

export function withoutHops(headers: IncomingHttpHeaders): IncomingHttpHeaders {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !HOP_HEADERS.includes(name)));
}

export async function readBody(message: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of message as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks);
}
