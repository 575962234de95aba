import { createServer } from 'node:http';
import { connect } from 'node:net';

/** `node test/proof/proxy.ts PORT USER:PASSWORD`: a proxy that asks for a name and a password, and says where it connects to. */
const [port = '3128', user = ''] = process.argv.slice(2);
const asked = `Basic ${Buffer.from(user).toString('base64')}`;

createServer((_request, answer) => answer.writeHead(405).end())
  .on('connect', ({ url = '', headers }, client) => {
    if (headers['proxy-authorization'] !== asked) {
      client.end(
        'HTTP/1.1 407 Proxy Authentication Required\r\nProxy-Authenticate: Basic realm="proof"\r\n\r\n',
      );
      return;
    }
    process.stdout.write(`CONNECT ${url}\n`);
    const { hostname, port } = new URL(`http://${url}`);
    const target = connect(Number(port), hostname, () => {
      client.write('HTTP/1.1 200 Connection Established\r\n\r\n');
      target.pipe(client).pipe(target);
    });
    target.on('error', () => client.destroy());
    client.on('error', () => target.destroy());
  })
  .listen(Number(port), '127.0.0.1');
