import { Agent, request } from 'node:http';

/**
 * A stranger: signs in with random logins, so many at once, and prints how often each status came. It runs as a process of its own,
 * in another network where one is to be had: `node sign-in-flood.ts <origin> <attempts> <at once>`.
 */
const [, , origin = '', attempts = '0', atOnce = '1'] = process.argv;
const agent = new Agent({ keepAlive: true, maxSockets: Number(atOnce) });
const statuses: Record<string, number> = {};
let left = Number(attempts);

await Promise.all(Array.from({ length: Number(atOnce) }, goOn));
agent.destroy();
console.log(JSON.stringify(statuses));

async function goOn(): Promise<void> {
  while (left > 0) {
    left -= 1;
    const status = await signIn(`nobody-${Math.random().toString(36).slice(2)}`);
    statuses[status] = (statuses[status] ?? 0) + 1;
  }
}

function signIn(login: string): Promise<string> {
  const body = JSON.stringify({ login, password: 'no such password' });
  const headers = { origin, 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
  return new Promise(resolve => {
    const call = request(`${origin}/api/v2/x/session`, { method: 'POST', agent, headers }, answer => {
      answer.resume().on('end', () => resolve(String(answer.statusCode)));
    });
    call.on('error', error => resolve(error.message)).end(body);
  });
}
