import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { describe, expect, it, onTestFinished } from 'vitest';
import { signFollower } from '../../../../server/enrolment/certificate-chain.ts';
import { createCentralClient } from '../../../../server/sync/client/central-client.ts';
import {
  learnCertificate,
  readCentralAddress,
  type Trust,
} from '../../../../server/sync/client/central-tls.ts';
import { authority, selfMade, signedBy, type TestCertificate } from '../../../support/certificates.ts';
import { centralStandIn, failureOf, successText } from './central-stand-in.ts';

const key = `hps_${'k'.repeat(43)}`;

/** What a station that trusts so gets of a server with such a certificate, under a name of this machine. */
async function asked(server: TestCertificate, trust: Trust, host = '127.0.0.1'): Promise<unknown> {
  const port = await centralStandIn((request, response) => {
    response.setHeader('Content-Type', 'application/json');
    response.end(successText(request.headers.authorization));
  }, server);
  const client = createCentralClient({ address: `https://${host}:${port}`, trust, key });
  onTestFinished(() => client.close());
  return client.request('GET', '/x/stations');
}

describe('a pinned certificate', () => {
  it('is enough, whatever names it has', async () => {
    const server = selfMade(['elsewhere.example']);
    expect(await asked(server, { certificate: server.certificate })).toBe(`Bearer ${key}`);
  });

  it('may be one that an authority has signed', async () => {
    const server = signedBy(authority(), ['central.example']);
    expect(await asked(server, { certificate: server.certificate })).toBe(`Bearer ${key}`);
  });

  it('is not any other of the same name', async () => {
    const [central, other] = [selfMade(), selfMade()];
    expect(await failureOf(asked(other, { certificate: central.certificate }))).toMatchObject({
      kind: 'certificate',
    });
  });

  it('is not any other of the same authority', async () => {
    const ca = authority();
    const [central, other] = [signedBy(ca, ['localhost']), signedBy(ca, ['localhost'])];
    const trust = { certificate: `${central.certificate}` };
    expect(await failureOf(asked(other, trust, 'localhost'))).toMatchObject({ kind: 'certificate' });
  });

  it.each([-4_000, -1])(
    'counts by the clock of a machine that is wrong, too: %i days after its end',
    async days => {
      const server = selfMade(undefined, days);
      expect(await asked(server, { certificate: server.certificate })).toBe(`Bearer ${key}`);
    },
  );

  it('is one of several', async () => {
    const [one, two] = [selfMade(), selfMade()];
    let known = [one.certificate, two.certificate];
    const trust = { certificates: () => known };
    expect(await asked(one, trust)).toBe(`Bearer ${key}`);
    expect(await asked(two, trust)).toBe(`Bearer ${key}`);
    known = [two.certificate];
    expect(await failureOf(asked(one, trust))).toMatchObject({ kind: 'certificate' });
  });

  it('is asked for once more on every connection', async () => {
    const [central, other] = [selfMade(), selfMade()];
    let shown = central;
    const received: string[] = [];
    const server = createTlsServer({ cert: central.certificate, key: central.key });
    server.on('secureConnection', socket => {
      socket
        .on('error', () => {})
        .on('data', (bytes: Buffer) => {
          received.push(`${shown === central ? 'central' : 'other'} ${bytes.toString().split(' ')[0]}`);
          const text = successText(null);
          socket.end(
            `HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nConnection: close\r\nContent-Length: ${text.length}\r\n\r\n${text}`,
          );
        });
    });
    server.on('tlsClientError', () => {});
    await once(server.listen(0, '127.0.0.1'), 'listening');
    onTestFinished(() => void server.close());
    const { port } = server.address() as AddressInfo;
    const client = createCentralClient({
      address: `https://127.0.0.1:${port}`,
      trust: { certificate: central.certificate },
      key,
    });
    await client.request('GET', '/x/stations');
    shown = other;
    server.setSecureContext({ cert: other.certificate, key: other.key });
    expect(await failureOf(client.request('GET', '/x/stations'))).toMatchObject({ kind: 'certificate' });
    // To the one in between, nothing was said: no key, no path.
    expect(received).toEqual(['central GET']);
  });
});

describe('authorities', () => {
  it('vouch for a certificate of the right name', async () => {
    const ca = authority();
    const server = signedBy(ca, ['localhost']);
    expect(await asked(server, { authorities: ca.certificate }, 'localhost')).toBe(`Bearer ${key}`);
  });

  it('do not vouch for another name', async () => {
    const ca = authority();
    const server = signedBy(ca, ['central.example']);
    expect(await failureOf(asked(server, { authorities: ca.certificate }, 'localhost'))).toEqual({
      kind: 'certificate',
      message: expect.stringContaining('another host name'),
    });
  });

  it.each([
    ['one that nobody vouches for', () => selfMade(), {}],
    ['one of an authority that is not known', () => signedBy(authority(), ['127.0.0.1']), {}],
    [
      'one of another authority',
      () => signedBy(authority(), ['127.0.0.1']),
      { authorities: authority().certificate },
    ],
  ] as [string, () => TestCertificate, Trust][])('do not vouch for %s', async (_name, make, trust) => {
    expect(await failureOf(asked(make(), trust))).toEqual({
      kind: 'certificate',
      message: expect.stringContaining('HOLDPOINT_CA'),
    });
  });
});

describe('learning a certificate', () => {
  it('answers the one that has the fingerprint, and says nothing; of another it asks what it follows', async () => {
    const central = selfMade();
    const heard: unknown[] = [];
    const port = await centralStandIn(({ method, url, headers }, response) => {
      heard.push([method, url, headers.authorization]);
      response.end();
    }, central);
    const head = central.fingerprint.slice(0, 40);
    expect(await learnCertificate({ host: '127.0.0.1', port }, head)).toBe(central.certificate);
    expect(heard).toEqual([]);
    const { kind, message } = await failureOf(
      learnCertificate({ host: '127.0.0.1', port }, selfMade().fingerprint.slice(0, 40)),
    );
    expect([kind, message]).toEqual([
      'certificate',
      expect.stringContaining('Somebody may stand in between'),
    ]);
    expect(heard).toEqual([['GET', '/api/v2/x/central-certificate/chain', undefined]]);
  });

  it('answers the one that follows it by signatures, and none that does not', async () => {
    const [former, central, other] = [selfMade(), selfMade(), selfMade()];
    const follows = (by: TestCertificate) => [
      { certificate: former.certificate, signature: null },
      {
        certificate: central.certificate,
        signature: signFollower(former.certificate, by.key, central.certificate),
      },
    ];
    for (const [by, isLed] of [
      [former, true],
      [other, false],
    ] as const) {
      const port = await centralStandIn((_request, response) => {
        response.end(successText({ certificates: follows(by), present: central.fingerprint }));
      }, central);
      const learnt = learnCertificate({ host: '127.0.0.1', port }, former.fingerprint.slice(0, 40));
      if (isLed) expect(await learnt).toBe(central.certificate);
      else expect(await failureOf(learnt)).toMatchObject({ kind: 'certificate' });
    }
  });

  it('tells that nobody is there, or that it is no TLS', async () => {
    const plain = await centralStandIn((_request, response) => void response.end());
    expect(await failureOf(learnCertificate({ host: '127.0.0.1', port: 1 }, 'aa'))).toMatchObject({
      kind: 'unreachable',
    });
    expect(await failureOf(learnCertificate({ host: '127.0.0.1', port: plain }, 'aa'))).toMatchObject({
      kind: 'not_central',
    });
    const silent = createTlsServer().listen(0, '127.0.0.1');
    onTestFinished(() => void silent.close());
    await once(silent, 'listening');
    const { port } = silent.address() as AddressInfo;
    expect((await failureOf(learnCertificate({ host: '127.0.0.1', port }, 'aa'))).kind).toMatch(
      /not_central|cut/,
    );
  });
});

describe("central's address", () => {
  it.each([
    ['https://central.example:4870', 'https://central.example:4870', 4870],
    ['https://central.example', 'https://central.example', 443],
    [' central.example:4870/ ', 'https://central.example:4870', 4870],
    ['10.1.2.3:4870', 'https://10.1.2.3:4870', 4870],
    ['https://[2001:db8::1]:4870', 'https://[2001:db8::1]:4870', 4870],
    ['http://127.0.0.1:4870', 'http://127.0.0.1:4870', 4870],
    ['http://localhost:4870', 'http://localhost:4870', 4870],
    ['http://[::1]:4870', 'http://[::1]:4870', 4870],
  ])('%s', (text, origin, port) => {
    expect(readCentralAddress(text)).toMatchObject({ origin, port });
  });

  it.each([
    ['http://central.example:4870', 'plain HTTP'],
    ['http://10.1.2.3', 'plain HTTP'],
    ['http://127.0.0.1.evil.example', 'plain HTTP'],
    ['http://0.0.0.0:4870', 'plain HTTP'],
    ['ftp://central.example', 'not an address'],
    ['file:///etc/passwd', 'not an address'],
    ['https://user:secret@central.example', 'more in it'],
    ['https://central.example/api/v2', 'more in it'],
    ['https://central.example?x=1', 'more in it'],
    ['', 'not an address'],
    ['https://', 'not an address'],
    ['central example', 'not an address'],
  ])('%s is refused', (text, words) => {
    expect(() => readCentralAddress(text)).toThrow(words);
  });
});
