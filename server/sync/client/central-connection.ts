import { type AgentOptions, Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { type ConnectionOptions, connect } from 'node:tls';
import { tunnelTo } from '../../network/proxy.ts';
import { CentralFailure } from './central-failure.ts';
import { type CentralAddress, refuseOthers, type Trust, tlsOptions } from './central-tls.ts';

/** Connections to keep open: two for what is sent, one for what is fetched, one for notifications, one for backups, one for all else. */
const CONNECTIONS = 6;

/** Keeps connections to central. A TLS connection is handed out only after it was verified. */
export function createAgent(address: CentralAddress, trust: Trust, connectMs: number): HttpAgent {
  const options = { keepAlive: true, maxSockets: CONNECTIONS, scheduling: 'lifo' } satisfies AgentOptions;
  if (!address.isSecure) return new HttpAgent(options);
  return new VerifiedAgent({ ...options, ...tlsOptions(trust) }, trust, connectMs);
}

type Connected = (error: Error | null, socket: Duplex) => void;

class VerifiedAgent extends HttpsAgent {
  readonly #trust: Trust;
  readonly #connectMs: number;

  constructor(options: ConstructorParameters<typeof HttpsAgent>[0], trust: Trust, connectMs: number) {
    super(options);
    this.#trust = trust;
    this.#connectMs = connectMs;
  }

  override createConnection(options: ConnectionOptions, onConnected?: Connected): undefined {
    const { host = '', port = 443 } = options;
    tunnelTo(host, port, this.#connectMs).then(
      tunnel => this.#connect(tunnel ? { ...options, socket: tunnel } : options, onConnected),
      // Nobody uses the socket that comes with an error.
      error => onConnected?.(error, new Socket()),
    );
  }

  #connect(options: ConnectionOptions, onConnected?: Connected): void {
    const socket = connect(options);
    const settle = (error: Error | null): void => {
      clearTimeout(timer);
      socket.off('error', settle).off('secureConnect', onSecure).off('close', onClose);
      if (error) socket.on('error', () => {}).destroy();
      onConnected?.(error, socket);
    };
    const onSecure = (): void => settle(refuseOthers(this.#trust, socket));
    const onClose = (): void => settle(Object.assign(new Error('closed'), { code: 'ECONNRESET' }));
    const timer = setTimeout(() => {
      settle(
        new CentralFailure(
          'timeout',
          `${options.host}: it does not answer. Check the address, and the network.`,
        ),
      );
    }, this.#connectMs);
    socket.once('error', settle).once('secureConnect', onSecure).once('close', onClose);
  }
}
