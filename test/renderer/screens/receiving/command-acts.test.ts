import { describe, expect, it } from 'vitest';
import { actOf, type DeskStanding } from '../../../../renderer/screens/receiving/command-acts.ts';
import type { OpenScan } from '../../../../renderer/screens/receiving/entries.ts';
import { emptyLine, type Line } from '../../../../renderer/screens/receiving/line.ts';
import { QUESTIONS, REFUSALS, type Why } from '../../../../renderer/screens/receiving/take.ts';
import { type Command, commands } from '../../../../renderer/ui/scan/commands.ts';

const CODES = ['save', 'reject', 'yes', 'no', 'leave', 'report'] as const;

const line = (change: Partial<Line> = {}): Line => ({ ...emptyLine('a'), part: 7, ...change });
const none = emptyLine('a');
const accepted = line({ accepted: '40' });
const rejected = line({ rejected: '40' });
const scan = (why: Why, key: string = why): OpenScan => ({
  key,
  by: null,
  data: {
    kind: 'scan',
    text: 'x',
    outcome: QUESTIONS.some(each => each === why) ? 'question' : 'refused',
    why,
    details: {},
    at: '',
    answers: {},
    slot: '',
    machine: '',
  },
});
const over = { why: 'over', open: 1, part: 7 } as const;
const otherLot = { lot: 'A', known: ['2031-01-31'], given: '2032-01-31' };

/** Scans are of this window, where `all` does not say otherwise. */
function at(change: Partial<DeskStanding> = {}): DeskStanding {
  const standing = { line: none, question: null, isSending: false, isClosed: false, interrupter: null };
  const own = change.own ?? [];
  return { ...standing, own, all: own, ...change };
}

/** What is done, to what, or why nothing is. */
function told(command: Command, standing: DeskStanding): string {
  const act = actOf(command, standing);
  if (act.does === 'refuse') return `– ${act.why}`;
  if (act.does === 'report') return act.savesFirst ? 'save, report' : 'report';
  return 'open' in act ? `${act.does} ${act.open.key}` : act.does;
}

/** By the standing, what SAVE, REJECT, YES, NO, LEAVE and NCR do. */
const table: Record<string, [standing: DeskStanding, ...does: string[]]> = {
  'no line': [at(), '– no-line', '– no-line', '– no-question', '– no-question', '– no-question', 'report'],
  'an accepted line': [
    at({ line: accepted }),
    'save',
    'reject',
    '– no-question',
    '– no-question',
    '– no-question',
    'report',
  ],
  'a rejected line': [
    at({ line: rejected }),
    'save',
    '– rejected',
    '– no-question',
    '– no-question',
    '– no-question',
    'save, report',
  ],
  'a line of which some is rejected': [
    at({ line: line({ accepted: '30', rejected: '10' }) }),
    'save',
    'reject',
    '– no-question',
    '– no-question',
    '– no-question',
    'save, report',
  ],
  'a line without a quantity': [
    at({ line: line() }),
    '– no-line',
    '– no-line',
    '– no-question',
    '– no-question',
    '– no-question',
    'report',
  ],
  'a line that is on its way': [
    at({ line: accepted, isSending: true }),
    'save',
    '– sending',
    '– no-question',
    '– no-question',
    '– no-question',
    'report',
  ],
  'a line that is too much': [
    at({ line: accepted, question: over, own: [scan('expired')] }),
    'save',
    'reject',
    'confirm',
    'correct',
    'leave expired',
    'report',
  ],
  'a line whose lot is known otherwise': [
    at({ line: accepted, question: otherLot, own: [scan('unknown')] }),
    'save',
    'reject',
    'confirm',
    'correct',
    'leave unknown',
    'report',
  ],
  'a rejected line that was not ordered': [
    at({ line: rejected, question: { ...over, why: 'unordered' } }),
    'save',
    '– rejected',
    'confirm',
    'correct',
    '– no-question',
    'save, report',
  ],
  'a question after another one': [
    at({ line: accepted, own: [scan('expired'), scan('unknown')], interrupter: 'unknown' }),
    'save',
    '– asked',
    '– no-question',
    'leave unknown',
    'leave unknown',
    '– asked',
  ],
  'an earlier question, and a line after it': [
    at({ line: accepted, own: [scan('expired')] }),
    'save',
    'answer expired',
    'answer expired',
    'leave expired',
    'leave expired',
    'report',
  ],
  'a refused scan after a question': [
    at({ line: accepted, own: [scan('expired'), scan('unreadable')], interrupter: 'unreadable' }),
    'save',
    'answer expired',
    'answer expired',
    'leave expired',
    'leave unreadable',
    '– asked',
  ],
  'a refused scan': [
    at({ line: accepted, own: [scan('unreadable')], interrupter: 'unreadable' }),
    'save',
    '– asked',
    '– no-question',
    '– no-question',
    'leave unreadable',
    '– asked',
  ],
  'a refused scan, and a line after it': [
    at({ line: accepted, own: [scan('unreadable')] }),
    'save',
    'reject',
    '– no-question',
    '– no-question',
    'leave unreadable',
    'report',
  ],
  'a refused scan that was left out': [
    at({ line: accepted, interrupter: 'unreadable' }),
    'save',
    'reject',
    '– no-question',
    '– no-question',
    '– no-question',
    'report',
  ],
  "a question of this window and another window's": [
    at({ own: [scan('again')], all: [scan('again'), scan('expired')] }),
    '– no-line',
    '– asked',
    'answer again',
    'leave again',
    'leave again',
    'report',
  ],
  "another window's question": [
    at({ line: accepted, all: [scan('expired')] }),
    'save',
    'answer expired',
    'answer expired',
    'leave expired',
    'leave expired',
    'report',
  ],
  "another window's question that is no answer to it": [
    at({ line: accepted, all: [scan('unknown')] }),
    'save',
    'reject',
    '– no-question',
    'leave unknown',
    'leave unknown',
    'report',
  ],
  'a scan that comes after the command': [
    at({ line: accepted, own: [scan('waiting')] }),
    'save',
    'reject',
    '– no-question',
    '– no-question',
    '– no-question',
    'report',
  ],
  'a closed receipt': [
    at({ isClosed: true }),
    '– closed',
    '– closed',
    '– closed',
    '– no-question',
    '– no-question',
    'report',
  ],
  'a receipt that was closed over a line': [
    at({ isClosed: true, line: rejected }),
    '– closed',
    '– closed',
    '– closed',
    '– no-question',
    '– no-question',
    '– closed',
  ],
  'a closed receipt with a question': [
    at({ isClosed: true, own: [scan('expired')] }),
    '– closed',
    '– closed',
    '– closed',
    'leave expired',
    'leave expired',
    'report',
  ],
  'a closed receipt with a question that NO answers': [
    at({ isClosed: true, own: [scan('count')] }),
    '– closed',
    '– closed',
    '– closed',
    '– closed',
    'leave count',
    'report',
  ],
};

/** Of a question that stands alone beside an accepted line: what REJECT, YES and NO do. LEAVE leaves it out. */
const alone: Record<(typeof QUESTIONS)[number], [reject: string, yes: string, no: string]> = {
  unknown: ['– asked', '– no-question', 'leave unknown'],
  part: ['– asked', '– no-question', 'leave part'],
  expired: ['answer expired', 'answer expired', 'leave expired'],
  again: ['– asked', 'answer again', 'leave again'],
  count: ['– asked', 'answer count', 'answer count'],
  unordered: ['answer unordered', 'answer unordered', 'leave unordered'],
  format: ['answer format', 'answer format', 'leave format'],
  over: ['answer over', 'answer over', 'leave over'],
  // It asks about the line.
  blocked: ['reject', 'answer blocked', 'leave blocked'],
  away: ['– asked', 'answer away', 'leave away'],
  lot: ['– asked', '– no-question', 'leave lot'],
  moved: ['– asked', 'answer moved', 'leave moved'],
  waiting: ['reject', '– no-question', '– no-question'],
};

describe('each command code', () => {
  it.each(Object.entries(table))('at %s', (_name, [standing, ...does]) => {
    expect(CODES.map(code => told(code, standing))).toEqual(does);
  });

  it.each(Object.entries(alone))('at the question %s', (why, expected) => {
    const standing = at({ line: accepted, own: [scan(why as Why)] });
    expect((['reject', 'yes', 'no'] as const).map(code => told(code, standing))).toEqual(expected);
    expect(told('leave', standing)).toBe(why === 'waiting' ? '– no-question' : `leave ${why}`);
  });

  it('says what it refuses by a word that is no question', () => {
    const standings = [
      ...Object.values(table).map(([standing]) => standing),
      ...[...QUESTIONS, ...REFUSALS].map(why => at({ line: accepted, own: [scan(why)], interrupter: why })),
    ];
    for (const standing of standings)
      for (const command of Object.keys(commands) as Command[]) {
        const act = actOf(command, standing);
        if (act.does === 'refuse') expect(REFUSALS).toContain(act.why);
        // Of open scans that are one of those on the screen.
        if ('open' in act) expect(standing.all).toContainEqual(act.open);
      }
  });
});
