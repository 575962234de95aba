import { connect, type Socket } from 'node:net';

/** What a request is, ready to be written. */
export interface Prepared {
  bytes: Buffer;
}

export function prepare(method: string, path: string, port: number, token: string, body?: string): Prepared {
  const head = [
    `${method} ${path} HTTP/1.1`,
    `Host: 127.0.0.1:${port}`,
    `Authorization: Bearer ${token}`,
    ...(body === undefined
      ? []
      : ['Content-Type: application/json', `Content-Length: ${Buffer.byteLength(body)}`]),
  ];
  return { bytes: Buffer.from(`${head.join('\r\n')}\r\n\r\n${body ?? ''}`) };
}

const HEAD_END = Buffer.from('\r\n\r\n');

/**
 * A connection that sends one request after the other and reads just enough of the answers: the client must cost less
 * than the servers that it measures. Any status but 2xx fails the benchmark.
 */
export class Connection {
  readonly #socket: Socket;
  #waiting: { resolve: (size: number) => void; reject: (error: Error) => void } | undefined;
  #chunks: Buffer[] = [];
  #size = 0;
  #needed = -1;

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.setNoDelay(true);
    socket.on('data', chunk => this.#read(chunk as Buffer));
    socket.on('close', () => this.#waiting?.reject(new Error('The server closed the connection.')));
  }

  static open(port: number): Promise<Connection> {
    return new Promise((resolve, reject) => {
      const socket = connect(port, '127.0.0.1', () => resolve(new Connection(socket)));
      socket.once('error', reject);
    });
  }

  /** The size of the answer in bytes. */
  send(request: Prepared): Promise<number> {
    return new Promise((resolve, reject) => {
      this.#waiting = { resolve, reject };
      this.#socket.write(request.bytes);
    });
  }

  close(): void {
    this.#waiting = undefined;
    this.#socket.destroy();
  }

  #read(chunk: Buffer): void {
    this.#chunks.push(chunk);
    this.#size += chunk.length;
    if (this.#needed < 0) this.#readHead();
    if (this.#needed >= 0 && this.#size >= this.#needed) {
      const size = this.#size;
      const waiting = this.#waiting;
      this.#chunks = [];
      this.#size = 0;
      this.#needed = -1;
      this.#waiting = undefined;
      waiting?.resolve(size);
    }
  }

  #readHead(): void {
    const [first] = this.#chunks;
    const bytes = this.#chunks.length === 1 && first ? first : Buffer.concat(this.#chunks);
    const end = bytes.indexOf(HEAD_END);
    if (end < 0) return;
    const head = bytes.toString('latin1', 0, end);
    if (!head.startsWith('HTTP/1.1 2')) {
      this.#waiting?.reject(new Error(bytes.toString('utf8', 0, 600)));
      return;
    }
    const length = Number(/content-length: (\d+)/i.exec(head)?.[1]);
    this.#needed = end + HEAD_END.length + length;
  }
}

/** Requests answered per second over so many connections, for about so many milliseconds. */
export async function measure(
  connections: readonly Connection[],
  milliseconds: number,
  next: () => Prepared,
): Promise<number> {
  let count = 0;
  let isOver = false;
  const started = performance.now();
  const timer = setTimeout(() => {
    isOver = true;
  }, milliseconds);
  await Promise.all(
    connections.map(async connection => {
      while (!isOver) {
        await connection.send(next());
        count += 1;
      }
    }),
  );
  clearTimeout(timer);
  return count / ((performance.now() - started) / 1000);
}
