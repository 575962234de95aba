import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { TESTED } from '../../../../support/tested-program.ts';

const PLANTED = join(TESTED, '..', `planted-${process.pid}`);

/** Faults of a process of central, each at places of the bundle. */
const FAULTS = {
  /** One of twenty groups of writes is answered and not appended. */
  'answers what the journal has not': [
    [
      'if (entries.length === 0 && facts.length === 0)',
      'if (entries.length + facts.length === 0 || Math.random() < 0.05)',
    ],
  ],
  /** A journal that lost its end and has gone on as far is taken for the same, whatever its entries follow. */
  'compares by position alone': [
    ['if (at.turn !== this.#place.turn) this.#part();', ''],
    ['if (sequence !== entry.sequence || hash !== entry.hash)', 'if (false)'],
    ['if (this.#place.turn === head.turn) return;', 'return;'],
    [
      'head.position === this.#place.position && head.turn === this.#place.turn',
      'head.position === this.#place.position',
    ],
  ],
  /** A turn whose answer was lost is said to be not written, without a look. */
  'settles by guessing': [['if (!await this.#settle(turn.turn))', 'if (true)']],
} satisfies Record<string, [find: string, put: string][]>;

/** The tested program with a fault, for as long as this process runs. Answers what to start. */
export function plantProgram(name: string): string {
  const changes = Object.entries(FAULTS).find(([fault]) => fault === name)?.[1];
  if (!changes) throw new Error(`Name one of these: ${Object.keys(FAULTS).join('; ')}`);
  process.once('exit', () => rmSync(PLANTED, { recursive: true, force: true }));
  cpSync(TESTED, PLANTED, { recursive: true });
  for (const [find, put] of changes) {
    const files = readdirSync(PLANTED).filter(file => file.endsWith('.js') && textOf(file).includes(find));
    if (files.length !== 1) throw new Error(`One file should have ${find}; these do: ${files}`);
    for (const file of files) writeFileSync(join(PLANTED, file), textOf(file).replaceAll(find, put));
  }
  return join(PLANTED, 'main.js');
}

function textOf(file: string): string {
  return readFileSync(join(PLANTED, file), 'utf8');
}
