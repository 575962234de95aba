import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { AppError } from '../../shared/contract/errors.ts';
import type { Step } from './service-steps.ts';

/** @throws AppError `conflict` that names the command that failed, and what it said; what was done before it stays */
export function carryOut(steps: readonly Step[]): void {
  for (const step of steps) {
    if ('remove' in step) rmSync(step.remove, { force: true });
    else if ('write' in step) writeStep(step);
    else runStep(step);
  }
}

/** As a person would type it. */
export function stepsTold(steps: readonly Step[]): string {
  return steps
    .map(step => {
      if ('remove' in step) return `remove ${step.remove}\n`;
      if ('run' in step) return `${step.run.map(quoted).join(' ')}\n`;
      const { write, text, mode, once } = step;
      return `write ${write} (${mode.toString(8)}${once ? ', unless it is there' : ''}):\n${text.replace(/^/gm, '  ').trimEnd()}\n`;
    })
    .join('');
}

function quoted(word: string): string {
  return /^[\w./:=@,+-]+$/.test(word) ? word : `"${word}"`;
}

function writeStep({ write, text, mode, once }: Extract<Step, { write: string }>): void {
  if (once && existsSync(write)) return;
  mkdirSync(dirname(write), { recursive: true });
  const part = `${write}.part`;
  writeFileSync(part, text, { flush: true });
  chmodSync(part, mode);
  renameSync(part, write);
}

function runStep({ run, unless, mayFail }: Extract<Step, { run: string[] }>): void {
  if (unless !== undefined && ended(unless).status === 0) return;
  const { status, says } = ended(run);
  if (status === 0 || mayFail) return;
  throw new AppError(
    'conflict',
    `${run.map(quoted).join(' ')} failed: ${says} What was done before it stays.`,
  );
}

function ended([program = '', ...words]: readonly string[]): { status: number | null; says: string } {
  const { status, stdout, stderr, error } = spawnSync(program, words, {
    encoding: 'utf8',
    windowsHide: true,
  });
  const says = error?.message ?? `${stderr}${stdout}`.trim();
  return { status, says: says === '' ? `it ended with ${status}.` : says };
}
