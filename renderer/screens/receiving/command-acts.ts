import type { Command } from '../../ui/scan/commands.ts';
import { answersOf, type DeskState, rejectionOf } from './desk-terms.ts';
import type { OpenScan } from './entries.ts';
import { amount, isComplete, isRejected } from './line.ts';
import type { Answers, Why } from './take.ts';

/** What stands at the desk when a command code comes. */
export interface DeskStanding extends Pick<DeskState, 'line' | 'question' | 'isSending'> {
  isClosed: boolean;
  /** Of the goods that were scanned last, where they are not in the line; null: they are. */
  interrupter: string | null;
  /** Open scans of this window, and those of all windows; the newest last. */
  own: readonly OpenScan[];
  all: readonly OpenScan[];
}

/** What a command code does: something with the line on the screen, with one open scan, or nothing, in words. */
export type CommandAct =
  | { does: 'save' | 'reject' | 'confirm' | 'correct' }
  | { does: 'report'; savesFirst: boolean }
  | { does: 'answer'; open: OpenScan; said: Answers }
  | { does: 'leave'; open: OpenScan }
  | { does: 'refuse'; why: Why };

/**
 * A command is about what is asked, else about the line, and never about goods that nobody asks about: where it has nothing to
 * say to what came last, it is refused. The screen shows the codes at what they are about by the same function.
 */
export function actOf(command: Command, at: DeskStanding): CommandAct {
  const { line, question, isSending, isClosed, own } = at;
  const refuse = (why: Why): CommandAct => ({ does: 'refuse', why });
  const asked = newest(at, isAsked);
  const isElsewhere = own.some(({ key }) => key === at.interrupter);
  switch (command) {
    case 'save':
      if (isClosed) return refuse('closed');
      return isComplete(line) ? { does: 'save' } : refuse('no-line');
    case 'reject': {
      if (isClosed) return refuse('closed');
      const said = question === null && asked ? rejectionOf(asked.data.why, asked.data.answers) : undefined;
      if (asked && said) return { does: 'answer', open: asked, said };
      // What waits for the line asks about the line.
      const asksElse = own.some(scan => isAsked(scan) && scan.data.why !== 'blocked');
      if (question === null && (isElsewhere || asksElse)) return refuse('asked');
      if (isSending) return refuse('sending');
      if (isRejected(line)) return refuse('rejected');
      return amount(line.accepted) > 0 ? { does: 'reject' } : refuse('no-line');
    }
    case 'report': {
      if (isElsewhere) return refuse('asked');
      const savesFirst = isComplete(line) && amount(line.rejected) > 0;
      return savesFirst && isClosed ? refuse('closed') : { does: 'report', savesFirst };
    }
    case 'leave': {
      const open = newest(at, isRead);
      return open ? { does: 'leave', open } : refuse('no-question');
    }
    case 'undo':
      return refuse('no-undo');
    default: {
      const isYes = command === 'yes';
      if (isClosed && isYes) return refuse('closed');
      if (question !== null) return { does: isYes ? 'confirm' : 'correct' };
      const said = asked && answersOf(asked.data.why, isYes, asked.data.answers);
      if (!asked || said === undefined) return refuse('no-question');
      if (said === null) return { does: 'leave', open: asked };
      return isClosed ? refuse('closed') : { does: 'answer', open: asked, said };
    }
  }
}

/** What was scanned after a command waits for it, and is not what it is about. */
function isRead({ data }: OpenScan): boolean {
  return data.why !== 'waiting';
}

function isAsked(scan: OpenScan): boolean {
  return scan.data.outcome === 'question' && isRead(scan);
}

/** Of this window before others. */
function newest({ own, all }: DeskStanding, which: (scan: OpenScan) => boolean): OpenScan | undefined {
  return own.findLast(which) ?? all.findLast(which);
}
