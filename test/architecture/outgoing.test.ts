import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const PROJECT = join(import.meta.dirname, '..', '..');

/** Every file that opens a connection, and how it leaves the machine. A new one is to be thought about: to central all go by `tunnelTo`. */
const OUTGOING: Record<string, 'by the proxy' | 'within the machine' | 'within the network'> = {
  'server/network/proxy.ts': 'by the proxy',
  'server/sync/client/central-connection.ts': 'by the proxy',
  'server/sync/client/central-tls.ts': 'by the proxy',
  'server/sync/client/unproved-server.ts': 'by the proxy',
  // Each by an agent of `central-connection.ts`.
  'server/sync/client/central-client.ts': 'by the proxy',
  'server/updates/central-file.ts': 'by the proxy',
  'server/cli/own-server.ts': 'by the proxy',
  'server/cli/service.ts': 'within the machine',
  'server/qualification/caller.ts': 'within the machine',
  'server/qualification/who-answers.ts': 'within the machine',
  'electron/api-proxy.ts': 'within the machine',
  'electron/server-supervisor.ts': 'within the machine',
  'electron/sync-watch.ts': 'within the machine',
  'server/http/forwarding.ts': 'within the network',
  'server/journal/connection.ts': 'within the network',
  'electron/raw-printer.ts': 'within the network',
  // To receivers on the open Internet, at the address that was checked (docs/interface/webhooks.md).
  'server/webhooks/post-message.ts': 'by the proxy',
};

const CONNECTS = [
  /import \{[^}]*\b(?<!type )(?:request|connect|Agent|createConnection)\b[^}]*\} from 'node:(?:https?|http2|tls|net)'/,
  /import \{[^}]*\bClient\b[^}]*\} from 'pg'/,
  /(?<![.\w#])fetch\(|= fetch\b/,
];

it('connections are opened by these files alone, and to central by the proxy', () => {
  const found = ['server', 'electron'].flatMap(part =>
    readdirSync(join(PROJECT, part), { recursive: true, encoding: 'utf8' })
      .map(name => join(part, name).replaceAll('\\', '/'))
      .filter(path => path.endsWith('.ts'))
      .filter(path => CONNECTS.some(pattern => pattern.test(readFileSync(join(PROJECT, path), 'utf8')))),
  );
  expect(found.toSorted()).toEqual(Object.keys(OUTGOING).toSorted());
  const byProxy = Object.keys(OUTGOING).filter(path => OUTGOING[path] === 'by the proxy');
  for (const path of byProxy)
    expect(readFileSync(join(PROJECT, path), 'utf8'), path).toMatch(/\b(?:tunnelTo|createAgent)\b/);
});
