import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { journalDestination } from '../../../server/http/journal.ts';
import { createLogger } from '../../../server/http/log.ts';

const source = (file: string) => JSON.stringify(join(import.meta.dirname, '..', '..', '..', 'server', file));
const PROGRAM = `
const { createLogger } = await import(${source('http/log.ts')});
const { tellGrave } = await import(${source('http/journal.ts')});
const log = createLogger({ level: 'trace' });
for (const level of ['trace', 'debug', 'info', 'warn', 'error', 'fatal']) log[level]('one\\ntwo');
tellGrave('It ends.\\n\\nRead this.\\n');
process.exitCode = 1;
`;

/** Over real pipes; `said`: what systemd would say of a descriptor, as the shell expands it. */
function lines(said: string) {
  const script = `${said} exec "$0" --input-type=module -e "$1"`;
  const { stdout, stderr } = spawnSync('sh', ['-c', script, process.execPath, PROGRAM], { encoding: 'utf8' });
  return { output: stdout.trimEnd().split('\n'), errors: stderr.trimEnd().split('\n') };
}
const streamOf = (descriptor: number) =>
  `export JOURNAL_STREAM="$(stat -L -c %d:%i /proc/$$/fd/${descriptor})";`;

it.runIf(process.platform === 'linux')(
  'tells the journal how grave each line is, of what goes there alone',
  () => {
    const { output, errors } = lines(streamOf(1));
    expect(output.map(line => line.slice(0, 3))).toEqual(['<7>', '<7>', '<6>', '<4>', '<3>', '<2>']);
    for (const line of output) expect(JSON.parse(line.slice(3))).toMatchObject({ msg: 'one\ntwo' });
    expect(errors).toEqual(['It ends.', '', 'Read this.']);
    expect(lines(streamOf(2)).errors).toEqual(['<3>It ends.', '', '<3>Read this.']);
  },
);

it.runIf(process.platform === 'linux')(
  'a file, a terminal or a pipe of somebody else gets lines as they are',
  () => {
    for (const said of ['', 'export JOURNAL_STREAM=1:1;', 'export JOURNAL_STREAM=;'])
      for (const line of lines(said).output) expect(JSON.parse(line)).toMatchObject({ msg: 'one\ntwo' });
  },
);

it('a line has the level of its own logger, also of a child of it', () => {
  const written: string[] = [];
  const log = createLogger({
    level: 'info',
    destination: journalDestination({ write: line => written.push(line) }),
  });
  log.child({ part: 'exchange' }).warn('late');
  log.info('well');
  log.debug('not said');
  expect(written.map(line => line.slice(0, 3))).toEqual(['<4>', '<6>']);
});
