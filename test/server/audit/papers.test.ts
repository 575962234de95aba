import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AuditEventAnswer } from '../../../shared/operations/audit-operations.ts';
import type { Browser } from '../identity/browser.ts';
import { dataOf, errorOf } from '../identity/browser.ts';
import { ClockedStation } from '../identity/clocked-station.ts';

const run = promisify(execFile);
const VERIFIER = join(import.meta.dirname, '../../../docs/verify/verify.mjs');

/** The trail of a period as paper, and as a file that proves it. */
const at = new ClockedStation();
let quinn: Browser;
const folder = mkdtempSync(join(tmpdir(), 'holdpoint-audit-'));
beforeAll(async () => {
  await at.start('central');
  await at.user('quinn', ['quality']);
  at.wait(24 * 60);
  quinn = await at.signedIn('quinn');
});
afterAll(async () => {
  await at.end();
  rmSync(folder, { recursive: true });
});

const read = async (path: string) => {
  const response = await fetch(`${at.station.origin}/api/v2${path}`, { headers: { cookie: quinn.cookie } });
  expect(response.status, path).toBe(200);
  return Buffer.from(await response.arrayBuffer());
};

/** What the verifier of the documentation says of it, with its exit code. */
async function verified(content: Buffer): Promise<{ code: number; said: string }> {
  const file = join(folder, 'trail.jsonl');
  writeFileSync(file, content);
  try {
    const { stdout } = await run(process.execPath, [VERIFIER, file]);
    return { code: 0, said: stdout };
  } catch (error) {
    const { code, stdout } = error as { code: number; stdout: string };
    return { code, said: stdout };
  }
}

it.each(['en', 'de'])('is printed in %s, which is noted', async language => {
  const pdf = await read(`/x/audit/paper?language=${language}&from=2026-06-15&kind=signed_in`);
  expect(pdf.subarray(0, 5).toString()).toBe('%PDF-');
  const printed = dataOf<AuditEventAnswer[]>(await quinn.get('/x/audit?kind=printed&order=desc&per_page=1'));
  expect(printed).toMatchObject([
    { author: 'quinn', details: { document: 'audit trail', from: '2026-06-15', kind: 'signed_in' } },
  ]);
});

it('refuses to be printed in another language, or of no moment', async () => {
  expect(errorOf(await quinn.get('/x/audit/paper?language=fr')).fields).toEqual(['language']);
  expect(errorOf(await quinn.get('/x/audit/paper?from=then')).fields).toEqual(['from']);
  expect(errorOf(await quinn.get('/x/audit/package?from=then')).fields).toEqual(['from']);
});

describe('the signed file', () => {
  it('of all is found whole by the verifier, and a changed one is not', async () => {
    const whole = await read('/x/audit/package');
    expect(await verified(whole)).toMatchObject({ code: 0 });
    const changed = Buffer.from(
      whole.toString().replace('"author","old":null,"new":"quinn"', '"author","old":null,"new":"quack"'),
    );
    expect(changed.equals(whole)).toBe(false);
    expect((await verified(changed)).code).toBe(1);
  });

  it('of a period begins with it, has its events, and is told as a part', async () => {
    const part = await read('/x/audit/package?from=2026-06-16');
    const lines = part
      .toString()
      .trim()
      .split('\n')
      .map(line => JSON.parse(line));
    expect(lines[0].log_after.sequence).toBeGreaterThan(0);
    expect(lines[1].commit.at >= '2026-06-16').toBe(true);
    const events = dataOf<AuditEventAnswer[]>(await quinn.get('/x/audit?from=2026-06-16&kind=signed_in'));
    for (const { id } of events) expect(part.toString()).toContain(`"audit-event:${id}"`);
    expect(await verified(part)).toMatchObject({ code: 3 });
  });
});
