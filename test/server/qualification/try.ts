import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { qualify } from '../../../server/qualification/qualify.ts';
import { ownProgramFiles } from '../../../server/qualification/program-files.ts';
import { requirements } from '../../../server/qualification/requirements.ts';
const folder = mkdtempSync(join(tmpdir(), 'q-'));
const only = process.argv[2];
const t = performance.now();
const tried = await qualify({
  installation: { config: { folder: join(folder, 'none'), host: '127.0.0.1', port: 4999, hosts: [], token: undefined, logLevel: 'info' } as any, program: ownProgramFiles(), versions: { program: '0.2.0', node: process.versions.node, sqlite: String(process.versions.sqlite) }, clock: () => new Date() },
  requirements: requirements.filter(r => !only || new RegExp(only).test(r.id)),
  scratch: join(folder, 'scratch'),
});
for (const r of tried) {
  console.log(r.id, r.verdict, r.seconds.toFixed(2), r.note?.en ?? '');
  for (const s of r.steps) if (!s.is_right || r.verdict !== 'passed') console.log('   ', s.is_right ? 'ok ' : 'BAD', s.done.en, '| expected', s.expected, '| seen', s.seen);
}
console.log(((performance.now() - t) / 1000).toFixed(1), 's');
rmSync(folder, { recursive: true, force: true });
