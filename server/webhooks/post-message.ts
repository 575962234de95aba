import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { type LookupFunction, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { type ConnectionOptions, connect } from 'node:tls';
import type { DeliveryResult } from '../../shared/operations/webhook-operations.ts';
import { tunnelTo } from '../network/proxy.ts';
import { trustSystem } from '../network/system-authorities.ts';
import { type Address, checkTarget, type Lookup, placeOf, type TargetPolicy } from './target.ts';

/** What came of one attempt. */
export interface Outcome {
  result: DeliveryResult;
  /** The status that the receiver answered; null where it answered none. */
  status: number | null;
  milliseconds: number;
}

export interface Post {
  url: string;
  headers: Record<string, string>;
  body: string;
  /** Ends the attempt. */
  signal?: AbortSignal | undefined;
}

export interface PosterOptions {
  policy: TargetPolicy;
  /** PEM of the authorities by which receivers are known; the system's when absent. */
  authorities?: string[] | undefined;
  lookup?: Lookup | undefined;
  /** Milliseconds for name, connection and answer together. */
  timeLimit?: number | undefined;
}

const TIME_LIMIT_MS = 10_000;
/** Of an answer nothing is used but its status; so much is read that the connection can be used again. In bytes. */
const READ = 64 * 1024;
/** Milliseconds: receivers close what is idle for five seconds. */
const IDLE_MS = 4_000;

export type Poster = ReturnType<typeof createPoster>;

/**
 * Sends messages to receivers: to checked addresses only, no redirect followed. The proxy that is the way out is asked for those on
 * the open Internet alone: what it calls its own machine and network is not what was checked.
 */
export function createPoster({ policy, authorities, lookup, timeLimit = TIME_LIMIT_MS }: PosterOptions) {
  const plain = new HttpAgent({ keepAlive: true, timeout: IDLE_MS });
  const secure = new SecureAgent(timeLimit, {
    keepAlive: true,
    timeout: IDLE_MS,
    ...(authorities && { ca: authorities }),
  });

  async function post({ url: text, headers, body, signal }: Post): Promise<Outcome> {
    const begun = performance.now();
    const limit = AbortSignal.timeout(timeLimit);
    const ended = signal ? AbortSignal.any([signal, limit]) : limit;
    const outcome = (result: DeliveryResult, status: number | null = null): Outcome => ({
      result,
      status,
      milliseconds: Math.round(performance.now() - begun),
    });
    const url = new URL(text);
    const checked = await Promise.race([checkTarget(url, policy, lookup), endOf(ended)]);
    if (!checked) return outcome(limit.aborted ? 'timeout' : 'stopped');
    if ('fault' in checked) return outcome(checked.fault);
    try {
      const answer = await exchange(url, { headers, body, signal: ended }, checked.addresses);
      const status = answer.statusCode ?? 0;
      leave(answer, ended);
      if (status >= 200 && status < 300) return outcome('delivered', status);
      if (status >= 300 && status < 400) return outcome('redirect', status);
      return outcome(status === 410 ? 'gone' : 'answered', status);
    } catch (error) {
      if (limit.aborted) return outcome('timeout');
      if (signal?.aborted) return outcome('stopped');
      return outcome(faultOf(error));
    }
  }

  function exchange(
    url: URL,
    { headers, body, signal }: Omit<Post, 'url'>,
    addresses: readonly Address[],
  ): Promise<IncomingMessage> {
    const isSecure = url.protocol === 'https:';
    if (isSecure && authorities === undefined) trustSystem();
    return new Promise((resolve, reject) => {
      const sent = (isSecure ? httpsRequest : httpRequest)(
        url,
        {
          method: 'POST',
          agent: isSecure ? secure : plain,
          headers: { ...headers, 'content-length': Buffer.byteLength(body) },
          lookup: answering(addresses),
          signal,
        },
        resolve,
      );
      sent.on('error', reject);
      sent.end(body);
    });
  }

  function close(): void {
    plain.destroy();
    secure.destroy();
  }

  return { post, close };
}

type Connected = (error: Error | null, socket: Duplex) => void;

/** Connects through the proxy where there is one and the receiver is on the open Internet. */
class SecureAgent extends HttpsAgent {
  readonly #timeLimit: number;

  constructor(timeLimit: number, options: ConstructorParameters<typeof HttpsAgent>[0]) {
    super(options);
    this.#timeLimit = timeLimit;
  }

  override createConnection(options: ConnectionOptions, onConnected?: Connected): undefined {
    const { host = '', port = 443, lookup } = options;
    const goOn = (socket?: Socket) => onConnected?.(null, connect(socket ? { ...options, socket } : options));
    lookup?.(host, {}, (_error, address) => {
      const to = String(address);
      if (placeOf(to) !== 'public') return goOn();
      // Nobody uses the socket that comes with an error.
      tunnelTo(host, port, this.#timeLimit, to).then(goOn, error => onConnected?.(error, new Socket()));
    });
  }
}

/** The name was looked up: these addresses, and no others. */
function answering(addresses: readonly Address[]): LookupFunction {
  return (_host, options, callback) => {
    if (options.all) callback(null, [...addresses]);
    else callback(null, addresses[0]?.address ?? '', addresses[0]?.family);
  };
}

/** Reads to the end of a short answer; ends the connection of a long one. */
function leave(answer: IncomingMessage, ended: AbortSignal): void {
  let left = READ;
  const stop = () => answer.destroy();
  answer.on('error', stop);
  answer.on('data', (chunk: Buffer) => {
    left -= chunk.length;
    if (left < 0) stop();
  });
  answer.once('close', () => ended.removeEventListener('abort', stop));
  ended.addEventListener('abort', stop, { once: true });
}

function endOf(signal: AbortSignal): Promise<undefined> {
  return new Promise(resolve => {
    if (signal.aborted) resolve(undefined);
    else signal.addEventListener('abort', () => resolve(undefined), { once: true });
  });
}

const UNREACHABLE = new Set(['ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH', 'ETIMEDOUT', 'EADDRNOTAVAIL']);

function faultOf(error: unknown): DeliveryResult {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (/CERT|SSL|TLS|SELF_SIGNED|UNABLE_TO|ALTNAME|EPROTO/.test(code)) return 'certificate';
  if (code.startsWith('HPE_')) return 'no_http';
  if (code.startsWith('EPROXY')) return 'proxy';
  return UNREACHABLE.has(code) ? 'unreachable' : 'closed';
}
