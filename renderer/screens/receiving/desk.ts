import { AppError } from '../../../shared/contract/errors.ts';
import { SCAN_LIMIT } from '../../../shared/contract/limits.ts';
import { createScanQueue } from '../../../shared/scanner/queue.ts';
import { type Command, commandOf } from '../../ui/scan/commands.ts';
import { isUnavailable } from './board.ts';
import { actOf } from './command-acts.ts';
import {
  type Done,
  messageOf,
  plainDetails,
  type Scanned,
  type Scans,
  Stays,
  staysFor,
  type Verdict,
} from './desk-terms.ts';
import { type Change, isOf, type OpenScan, type StoredOf } from './entries.ts';
import { readExpected, withAnnounced, withUnitOf } from './expected.ts';
import { OBJECTIONS, serialsIn, withRejection } from './line.ts';
import { createLineAtDesk, type LineAtDeskOptions } from './line-at-desk.ts';
import { partOf, readLabel } from './read-label.ts';
import { type Answers, type Decision, decide, type Why } from './take.ts';

export interface DeskOptions extends LineAtDeskOptions {
  isClosed: () => boolean;
  /** The receipt's saved lines, wherever they were saved, as they were read last. */
  received: () => readonly Record<string, unknown>[];
  today: () => string;
  /** Raises the report of the newest rejected line. @throws when there is none */
  report: () => Promise<void>;
}

export type Desk = ReturnType<typeof createDesk>;

/**
 * Scans at a receipt, one after the other in their order. Each ends taken, as a question, or refused (decisions/0049); it
 * stands on the board from its last key until it is in the line, and what is not taken stays there until somebody settles it.
 */
export function createDesk(options: DeskOptions) {
  const { receipt, client, board, slot, machine, isClosed, order, today, now, newKey, report, onSaved } =
    options;
  const { received } = options;
  /** Lines that were undone here; they are read again soon. */
  const undone = new Set<unknown>();
  const line = createLineAtDesk(options);
  /** The last scan of goods, where it ended as a question of its own, or was refused. */
  let interrupter: string | null = null;
  let tail: Promise<unknown> = Promise.resolve();
  const exclusively = <Result>(work: () => Promise<Result>): Promise<Result> => {
    const result = tail.then(work);
    tail = result.catch(() => {});
    return result;
  };

  const openScans = () => board.entries().filter(isOf('scan'));
  const ownScans = () => openScans().filter(({ data }) => data.slot === slot);
  const isSending = () => line.state().isSending;
  const taken = (text: string): Verdict => ({ outcome: 'taken', text, why: null, details: {} });
  const begin = (text: string): Done => ({
    verdict: taken(text),
    before: line.state().line,
    after: line.state().line,
    saved: [],
    undoes: [],
    isReported: false,
  });

  /** Labels and serial numbers of the receipt's other lines. */
  const seen = () => {
    const others = board.entries().flatMap(({ key, data }): { labels: string[]; serials: string[] }[] => {
      if (data.kind === 'saved') return [data];
      return data.kind === 'line' && key !== line.key ? [data.line.scanned] : [];
    });
    const saved = received().filter(item => !undone.has(item.id));
    return {
      labels: new Set(others.flatMap(({ labels }) => labels)),
      serials: new Set([...saved.flatMap(serialsIn), ...others.flatMap(({ serials }) => serials)]),
    };
  };

  const decideNow = async ({ text, isCut }: Scanned, answers: Answers): Promise<Decision> => {
    const { line: present } = line.state();
    const refused = (why: Why, details = {}): Decision => ({
      outcome: 'refused',
      why,
      details,
      line: present,
    });
    if (isCut) return refused('cut');
    try {
      const [ordered, read] = await Promise.all([
        readExpected(client, order()),
        readLabel(client, text, today()),
      ]);
      const reading = await withAnnounced(client, ordered, read);
      const isNamed = answers.part != null && answers.unit === undefined;
      const said = isNamed ? { ...answers, ...(await partOf(client, Number(answers.part))) } : answers;
      const named = said.part ?? (reading.kind === 'label' ? reading.label.part : null) ?? present.part;
      const expected = await withUnitOf(client, ordered, named);
      const standing = {
        line: present,
        ...seen(),
        isClosed: isClosed(),
        isSending: isSending(),
        isInterrupted: interrupter !== null,
        expected,
      };
      return decide({ ...standing, today: today(), newKey: newKey() }, text, reading, said);
    } catch (error) {
      if (isUnavailable(error))
        return { outcome: 'question', why: 'away', details: {}, line: present, keeps: answers };
      if (error instanceof AppError) return refused('failed', messageOf(error));
      throw error;
    }
  };

  /** Takes a scan; or anew one that is open, with what has been said of it. */
  const take = async (
    scan: Scanned,
    answers: Answers,
    open: OpenScan | null,
    done: Done,
  ): Promise<Verdict> => {
    const decision = await decideNow(scan, answers);
    if (decision.outcome !== 'taken') {
      // What waits for the server or for a line is decided anew in its order.
      const isRead = open === null || open.data.why === 'away';
      if (isRead && !['away', 'blocked', 'part'].includes(decision.why)) interrupter = scan.key;
      return leaveOpen(scan, decision, open, done);
    }
    if (decision.label) interrupter = null;
    const { label, keeps } = decision;
    const details = label ? plainDetails(label) : {};
    if (decision.savesFirst) {
      // The pieces that go on with this scan are not saved with the line before it.
      if (decision.before !== line.state().line) {
        const stands = openScans().find(each => each.key === (open?.key ?? scan.key));
        const note = stands && { key: stands.key, data: { ...stands.data, answers: keeps } };
        line.set(decision.before, note ? [note] : []);
      }
      let why: Why = 'blocked';
      // Seen at once: saving the line before it takes as long as the disk and the line need.
      line.show({ next: decision.line });
      const id = await line
        .save()
        .catch(error => {
          if (isUnavailable(error)) why = 'away';
          return null;
        })
        .finally(() => line.show({ next: null }));
      if (id === null) {
        const waits: Decision = { outcome: 'question', why, details, line: line.state().line, keeps };
        return leaveOpen(scan, waits, open, done);
      }
      done.saved.push(id);
    }
    if (open === null) line.set(decision.line, scan.key === null ? [] : [{ key: scan.key, data: null }]);
    else {
      const lost = await settle(open, [{ key: open.key, data: null }, line.change(decision.line)], done);
      if (lost) return lost;
      line.show({ line: decision.line });
    }
    line.show({ bestBefore: decision.bestBefore });
    if (label) await joinWaiting(open, done);
    return { outcome: 'taken', text: scan.text, why: null, details };
  };

  /** A label without a part waits for the next one that names it. */
  const joinWaiting = async (open: OpenScan | null, done: Done) => {
    const waiting = ownScans().findLast(({ key, data }) => data.why === 'part' && key !== open?.key);
    if (waiting) await take(scanOf(waiting), waiting.data.answers, waiting, done);
  };

  const leaveOpen = async (
    { key, text }: Scanned,
    decision: Exclude<Decision, { outcome: 'taken' }>,
    open: OpenScan | null,
    done: Done,
  ): Promise<Verdict> => {
    const { outcome, why } = decision;
    const details = plainDetails(decision.details);
    const verdict: Verdict = { outcome, text, why, details };
    const answers = decision.outcome === 'question' ? decision.keeps : (open?.data.answers ?? {});
    const at = open?.data.at ?? now();
    const data: StoredOf<'scan'> = { kind: 'scan', text, outcome, why, details, at, answers, slot, machine };
    const isLineSame = decision.line === line.state().line;
    const change: Change = { key: open?.key ?? key ?? `scan ${newKey()}`, data };
    if (open === null) {
      done.undoes.push({ key: change.key, data: null });
      if (isLineSame) board.put([change]);
      else line.set(decision.line, [change]);
      return verdict;
    }
    const isSame = JSON.stringify({ ...open.data, slot, machine }) === JSON.stringify(data) && isLineSame;
    if (isSame) return verdict;
    const lost = await settle(open, isLineSame ? [change] : [change, line.change(decision.line)], done);
    if (!lost && !isLineSame) line.show({ line: decision.line });
    return lost ?? verdict;
  };

  /** Once among all windows. @returns what to say when somebody else was faster, or nobody knows */
  const settle = async (open: OpenScan, changes: Change[], done: Done): Promise<Verdict | null> => {
    const { text } = open.data;
    try {
      await board.claim(changes, [open.key]);
      done.undoes.push({ key: open.key, data: open.data });
      return null;
    } catch (error) {
      if (isUnavailable(error)) {
        line.doubt();
        return { outcome: 'question', text, why: 'away', details: {} };
      }
      await board.refresh().catch(() => {
        // It is read again soon.
      });
      const isLost = error instanceof AppError && error.code === 'conflict';
      return { outcome: 'refused', text, why: isLost ? 'settled' : 'failed', details: messageOf(error) };
    }
  };

  const leave = ({ key, by, data }: OpenScan, reason: string, done: Done) => {
    const { text, why, details, at } = data;
    const left: Change = { key: `left ${key}`, data: { kind: 'left', text, why, details, at, reason } };
    done.undoes.push({ key: left.key, data: null });
    return settle({ key, by, data }, [{ key, data: null }, left], done);
  };

  /** What waited for the server, or for the line before it, is decided anew, in its order. */
  const retry = async (why: 'away' | 'blocked') => {
    for (const open of ownScans().filter(({ data }) => data.why === why)) {
      const verdict = await take(scanOf(open), open.data.answers, open, begin(open.data.text));
      if (verdict.outcome === 'question' && verdict.why === why) return;
    }
  };

  const save = async (text: string, done: Done): Promise<Verdict> => {
    try {
      const id = await line.save();
      const { question, line: present } = line.state();
      if (id === null && question && 'why' in question)
        return {
          outcome: 'question',
          text,
          why: question.why,
          details: plainDetails({ ...question, lot: present.lot }),
        };
      if (id === null) return { outcome: 'question', text, why: 'lot', details: {} };
      done.saved.push(id);
      return taken(text);
    } catch (error) {
      const details = messageOf(error);
      return { outcome: 'refused', text, why: 'failed', details };
    }
  };

  const raise = async (text: string, savesFirst: boolean, done: Done): Promise<Verdict> => {
    if (savesFirst) {
      const saved = await save(text, done);
      if (saved.outcome !== 'taken') return saved;
    }
    try {
      await report();
      done.isReported = true;
      return taken(text);
    } catch (error) {
      const isAnswer = error instanceof AppError;
      return { outcome: 'refused', text, why: isAnswer ? 'failed' : 'no-report', details: messageOf(error) };
    }
  };

  /** What a command code would do now. */
  const actNow = (command: Command) => {
    const [own, all] = [ownScans(), openScans()];
    return actOf(command, { ...line.state(), isClosed: isClosed(), interrupter, own, all });
  };

  const obey = async (command: Command, text: string, done: Done): Promise<Verdict> => {
    const act = actNow(command);
    switch (act.does) {
      case 'refuse':
        return { outcome: 'refused', text, why: act.why, details: {} };
      case 'report':
        return raise(text, act.savesFirst, done);
      case 'leave':
        return (await leave(act.open, text, done)) ?? taken(text);
      case 'answer':
        return answer(act.open, act.said, act.open.data.answers, done);
      case 'reject':
        line.set(withRejection(line.state().line));
        line.show({ question: null });
        return taken(text);
      case 'correct':
        line.show({ question: null });
        return taken(text);
      case 'confirm':
        line.confirm();
        return save(text, done);
      case 'save':
        return save(text, done);
    }
  };

  /** One yes to goods that were ordered otherwise is about all scans of the part that ask the same. */
  const answer = async (open: OpenScan, said: Answers, before: Answers, done: Done): Promise<Verdict> => {
    const verdict = await take(scanOf(open), { ...before, ...said }, open, done);
    if (verdict.outcome !== 'taken' || said.allowed === undefined || said.rejects) return verdict;
    for (const same of ownScans().filter(each => isSameQuestion(each, open))) {
      const { answers, text } = same.data;
      const allowed = [...new Set([...(answers.allowed ?? []), ...said.allowed])];
      const next = await take(scanOf(same), { ...answers, allowed }, same, done);
      if (next.outcome !== 'taken') return { ...next, text };
    }
    return verdict;
  };

  const scans: Scans = createScanQueue<Scanned, Done>({
    handle: scan =>
      exclusively(async () => {
        const done = begin(scan.text);
        try {
          done.saved.push(...(await line.settled()));
          await retry('away');
        } catch {
          // Each scan says itself that the server is away.
        }
        done.before = line.state().line;
        const command = commandOf(scan.text);
        done.verdict = command ? await obey(command, scan.text, done) : await take(scan, {}, null, done);
        if (done.saved.length > 0) await retry('blocked');
        line.show({ verdict: done.verdict });
        done.after = line.state().line;
        return done;
      }),
    undo: done =>
      exclusively(async () => {
        await line.settled();
        const { before, saved, undoes } = done;
        const why = staysFor(done, line.state().line, isClosed());
        if (why) throw new Stays(why);
        for (const id of saved) {
          await client.call('receiving-inspections.items.update', {
            params: { receiving_inspection_id: receipt, id },
            body: { quantity_accepted: 0, quantity_rejected: 0, serial_numbers: null, reason: 'Scan undone' },
          });
        }
        for (const id of saved) undone.add(id);
        const forgotten = saved.map(id => ({ key: `saved ${id}`, data: null }));
        // It may have been saved with its key since, and a key has one answer.
        line.set({ ...before, key: newKey() }, [...undoes.toReversed(), ...forgotten]);
        line.show({ question: null, failure: null, verdict: null });
        if (saved.length > 0) onSaved();
      }),
  });

  return {
    scans,
    board,
    line,
    exclusively,
    begin,
    take,
    answer,
    leave,
    retry,
    actNow,
    /** @returns what takes it back, should it turn out to be no scan */
    push(read: string, isCut: boolean): () => void {
      // What is longer than any code is told for it, and not kept whole; what no text may hold could not be kept at all.
      const text = read
        .slice(0, SCAN_LIMIT + 1)
        .toWellFormed()
        .replaceAll('\0', '\ufffd');
      const key = commandOf(text) ? null : `scan ${newKey()}`;
      if (key !== null) {
        const told = {
          text,
          outcome: 'question' as const,
          why: 'waiting' as const,
          details: {},
          answers: {},
        };
        board.put([{ key, data: { kind: 'scan', ...told, at: now(), slot, machine } }], true);
      }
      const { id } = scans.push({ key, text, isCut });
      return () => {
        void scans.withdraw(id).then(() => forget(id));
      };
    },
    /** @returns false when nothing was; the verdict says why */
    undoLast: async (): Promise<boolean> => {
      const last = await scans.undoLast();
      if (last?.status === 'undone') {
        forget(last.id);
        return true;
      }
      const why = last === null ? 'no-undo' : last.error instanceof Stays ? last.error.why : 'failed';
      const details = why === 'failed' ? messageOf(last?.error) : {};
      line.show({ verdict: { outcome: 'refused', text: '', why, details } });
      return false;
    },
  };

  /** One that was undone before it was handled leaves nothing open. */
  function forget(id: number): void {
    const entry = scans.entries().find(each => each.id === id);
    if (entry?.status === 'undone' && entry.result === null && entry.input.key !== null)
      board.put([{ key: entry.input.key, data: null }]);
  }
}

/** Whether two scans ask the same about the same part. */
export function isSameQuestion({ data }: OpenScan, { data: other }: OpenScan): boolean {
  const isObjection = OBJECTIONS.some(each => each === other.why);
  return isObjection && data.why === other.why && data.details.part === other.details.part;
}

/** It was whole, or it would be refused for good. */
export function scanOf({ key, data }: OpenScan): Scanned {
  return { key, text: data.text, isCut: false };
}
