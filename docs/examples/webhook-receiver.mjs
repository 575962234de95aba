// A receiver of Holdpoint's webhooks, with Node.js alone. It checks the signature and the time before it believes anything,
// takes each message once, and answers at once: what takes long is done afterwards.
//
//   WEBHOOK_SECRET=whsec_… PORT=8080 node webhook-receiver.mjs
import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';

const TOLERANCE_SECONDS = 5 * 60;
const key = Buffer.from(process.env.WEBHOOK_SECRET.slice('whsec_'.length), 'base64');
// In a real receiver the ids of the last days, kept with what was done.
const known = new Set();

/** Whether the message is from who has the secret, and of now. */
function isGenuine(headers, body) {
  const { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures = '' } = headers;
  if (!(Math.abs(Date.now() / 1000 - Number(timestamp)) <= TOLERANCE_SECONDS)) return false;
  const wanted = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest();
  // While a secret is being replaced there are two signatures: one that fits is enough.
  return signatures.split(' ').some(each => {
    const [version, text = ''] = each.split(',');
    const given = Buffer.from(text, 'base64');
    return version === 'v1' && given.length === wanted.length && timingSafeEqual(given, wanted);
  });
}

function take({ type, data }) {
  // The place is lost (a backup was restored): read everything again, and go on with what comes.
  if (type === 'reset') console.log('reset');
  else if (type === 'test') console.log('test');
  else console.log(`${type} ${data.id} version ${data.version}`);
}

const server = createServer((request, response) => {
  const chunks = [];
  request.on('data', chunk => chunks.push(chunk));
  request.on('end', () => {
    // The very bytes are signed: parse them only afterwards.
    const body = Buffer.concat(chunks).toString('utf8');
    if (!isGenuine(request.headers, body)) return response.writeHead(401).end();
    response.writeHead(204).end();
    const id = request.headers['webhook-id'];
    if (known.has(id)) return;
    known.add(id);
    take(JSON.parse(body));
  });
});
server.listen(Number(process.env.PORT ?? 8080), '127.0.0.1', () =>
  console.log(`listening ${server.address().port}`),
);
