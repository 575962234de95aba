import { existsSync, readFileSync } from 'node:fs';
import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { createServer } from 'node:net';
import { join } from 'node:path';
import type { ValidatedConfig } from '../validation/work.ts';

const PATIENCE_MS = 5_000;

/** Who answers where the installation listens: this program, another one, or nobody. */
export async function whoAnswers(config: ValidatedConfig): Promise<'Holdpoint' | 'another' | 'nobody'> {
  if (await isFree(config)) return 'nobody';
  return (await asked(config)) ? 'Holdpoint' : 'another';
}

function isFree({ host, port }: ValidatedConfig): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', (error: NodeJS.ErrnoException) =>
      error.code === 'EADDRINUSE' ? resolve(false) : reject(error),
    );
    server.listen({ host, port, exclusive: true }, () => server.close(() => resolve(true)));
  });
}

/** Whether the status of this interface is answered there. One that speaks TLS is known by its own certificate. */
function asked(config: ValidatedConfig): Promise<boolean> {
  const { host: wanted, port } = config;
  const host = wanted === '0.0.0.0' ? '127.0.0.1' : wanted === '::' ? '::1' : wanted;
  const certificate = certificateOf(config);
  return new Promise(resolve => {
    const options = { host, port, path: '/api/v2/status', timeout: PATIENCE_MS, agent: false } as const;
    const asking = certificate
      ? httpsRequest({
          ...options,
          ca: certificate,
          allowPartialTrustChain: true,
          checkServerIdentity: () => undefined,
        })
      : httpRequest(options);
    asking.on('response', answer => {
      let text = '';
      answer.setEncoding('utf8').on('data', (part: string) => {
        text += part;
        if (text.length > 100_000) asking.destroy();
      });
      answer.on('end', () => resolve(answer.statusCode === 200 && isStatus(text)));
      answer.on('error', () => resolve(false));
    });
    asking.on('timeout', () => asking.destroy());
    asking.on('error', () => resolve(false));
    asking.on('close', () => resolve(false));
    asking.end();
  });
}

function certificateOf({ folder, host, certificate, isBehindProxy }: ValidatedConfig): string | undefined {
  if (certificate !== undefined) return readFileSync(certificate, 'utf8');
  const own = join(folder, 'central.crt');
  const isPlain = isBehindProxy === true || ['127.0.0.1', '::1', 'localhost'].includes(host);
  return isPlain || !existsSync(own) ? undefined : readFileSync(own, 'utf8');
}

function isStatus(text: string): boolean {
  try {
    const answer: unknown = JSON.parse(text);
    return typeof answer === 'object' && answer !== null && 'online' in answer && 'version' in answer;
  } catch {
    return false;
  }
}
