import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useRef, useState } from 'react';
import { AppError } from '../../../shared/contract/errors.ts';
import type { Trace } from '../../../shared/operations/trace-schemas.ts';
import { createScanQueue, type ScanQueue } from '../../../shared/scanner/queue.ts';
import { client } from '../../api/client.ts';
import { useWriteKey } from '../../api/write-key.ts';
import { type Draft, useDraft } from '../../record/draft.ts';
import { useScanTarget } from '../../ui/scan/scan-target.ts';
import { today } from '../../ui/today.ts';
import { commandOf } from './commands.ts';
import {
  bodyOf,
  emptyLine,
  isBegun,
  isComplete,
  isSameGoods,
  type Label,
  type Line,
  withLabel,
  withLearned,
  withRejection,
} from './line.ts';
import { partOf, type Reading, readLabel } from './read-label.ts';

/** What a scan has done, for undoing it. */
export interface Done {
  /** The line as it stood before. */
  before: Line;
  /** Items that the scan saved. */
  saved: number[];
  says: string;
}

export type Scans = ScanQueue<string, Done>;

/** What must be answered before the line goes on: neither stops the lines that are saved already. */
export type Question =
  | { kind: 'unreadable'; message: string; text: string }
  | { kind: 'unknown'; code: string; label: Label }
  | { kind: 'expiry'; lot: string; known: string[]; given: string };

export interface ReceivingOptions {
  receipt: number;
  /** Raises the report of the newest rejected line. */
  onReport: () => void;
}

/**
 * The line that is being entered at a receipt: scans go through one queue, in their order, none dropped. A scan of other
 * goods saves the line before it; a line that fails to save stays, with its fault, and does not hold up the others.
 */
export function useReceiving({ receipt, onReport }: ReceivingOptions) {
  const queries = useQueryClient();
  const draft: Draft<Line> = useDraft<Line>(`receipt ${receipt} line`);
  const [line, setShown] = useState<Line>(() => emptyLine(crypto.randomUUID()));
  const [question, setQuestion] = useState<Question | null>(null);
  const [failure, setFailure] = useState<unknown>(null);
  const [bestBefore, setBestBefore] = useState<string | null>(null);
  const current = useRef(line);
  const answered = useRef<string | null>(null);
  const hasBegun = useRef(false);
  const { headersFor, done } = useWriteKey();

  const keep = draft.keep;
  const setLine = useCallback(
    (next: Line) => {
      hasBegun.current = true;
      current.current = next;
      setShown(next);
      keep(next);
    },
    [keep],
  );
  // What was being entered before a crash or a change of user goes on.
  if (draft.found && !hasBegun.current) {
    hasBegun.current = true;
    current.current = { ...emptyLine(line.key), ...draft.found };
    setShown(current.current);
  }

  const begin = useCallback(() => {
    setLine(emptyLine(crypto.randomUUID(), { location: current.current.location }));
    answered.current = null;
    setBestBefore(null);
  }, [setLine]);

  /** The new item's id. Throws what the server refuses; asks when the lot is known with another expiry. */
  const save = useCallback(async (): Promise<number | null> => {
    const saving = current.current;
    setFailure(null);
    try {
      const asked = answered.current === saving.key ? null : await expiryQuestion(saving);
      if (asked) {
        setQuestion(asked);
        return null;
      }
      const { data } = await client.call<{ id: number }>('receiving-inspections.items.add', {
        params: { receiving_inspection_id: receipt },
        body: bodyOf(saving),
        headers: headersFor(bodyOf(saving)),
      });
      done();
      // What was typed while the answer was on its way belongs to the next line.
      if (current.current === saving) begin();
      else setLine({ ...current.current, key: crypto.randomUUID() });
      await queries.invalidateQueries();
      return data.id;
    } catch (error) {
      if (!(error instanceof AppError && error.code === 'unavailable')) done();
      setFailure(error);
      throw error;
    }
  }, [begin, done, headersFor, queries, receipt, setLine]);

  const handlers = useRef({ save, begin, setLine, onReport });
  handlers.current = { save, begin, setLine, onReport };

  const [queue] = useState(() =>
    createScanQueue<string, Done>({
      async handle(text) {
        const before = current.current;
        const saved: number[] = [];
        const store = async () => {
          const id = await handlers.current.save();
          if (id !== null) saved.push(id);
          return id !== null;
        };
        const command = commandOf(text);
        if (command === 'undo') return { before, saved, says: text };
        if (command === 'save') await store();
        else if (command === 'reject') handlers.current.setLine(withRejection(before));
        else if (command === 'report') {
          if (!isComplete(before) || (await store())) handlers.current.onReport();
        } else {
          setQuestion(null);
          await take(await readLabel(text, today()), store);
        }
        return { before, saved, says: text };
      },
      async undo({ before, saved }) {
        for (const id of saved) {
          await client.call('receiving-inspections.items.update', {
            params: { receiving_inspection_id: receipt, id },
            body: { quantity_accepted: 0, quantity_rejected: 0, reason: 'Scan undone' },
          });
        }
        // A saved line that comes back is a new one: its key has had its answer.
        handlers.current.setLine(saved.length > 0 ? { ...before, key: crypto.randomUUID() } : before);
        setQuestion(null);
        await queries.invalidateQueries();
      },
    }),
  );

  const take = async (reading: Reading, store: () => Promise<boolean>) => {
    if (reading.kind === 'unreadable') {
      const { message, text } = reading.scan;
      return setQuestion({ kind: 'unreadable', message, text });
    }
    if (reading.kind === 'location') {
      return handlers.current.setLine({ ...current.current, location: reading.location });
    }
    const { label } = reading;
    const isOther = isBegun(current.current) && !isSameGoods(current.current, label);
    if (isOther && isComplete(current.current) && !(await store())) return;
    const line =
      isOther && !isBegun(current.current) ? current.current : withoutOther(current.current, isOther);
    setBestBefore(reading.bestBefore);
    if (reading.kind === 'unknown') {
      handlers.current.setLine(withLabel(line, label));
      return setQuestion({ kind: 'unknown', code: reading.code, label });
    }
    handlers.current.setLine(withLabel(line, label));
  };

  useScanTarget(text => {
    if (commandOf(text) === 'undo') void queue.undoLast();
    else queue.push(text);
    return true;
  });

  /** The code belongs to this part from now on, and the scan that brought it goes on. */
  const learn = async (part: number) => {
    if (question?.kind !== 'unknown') return;
    await client.call('x.parts.barcodes', { params: { id: part }, body: { code: question.code } });
    const { unit } = await partOf(part);
    setLine(withLearned(current.current, question.label, { part, unit }));
    setQuestion(null);
  };

  /** The line is another lot of the same number, with the expiry that the label says. */
  const confirmExpiry = async () => {
    answered.current = current.current.key;
    setQuestion(null);
    await save().catch(() => {});
  };

  const choosePart = async (part: number | null) => {
    setLine({ ...current.current, part });
    if (part === null) return;
    const { unit } = await partOf(part);
    if (current.current.part === part && current.current.unit === null) setLine({ ...current.current, unit });
  };

  return {
    line,
    setLine,
    choosePart,
    save,
    begin,
    failure,
    question,
    dismiss: () => setQuestion(null),
    learn,
    confirmExpiry,
    bestBefore,
    /** Whoever shows the scans listens: the line is not drawn again for each of them. */
    scans: queue,
  };
}

/** Other goods begin a line of their own, at the same place; an unfinished one that cannot be saved gives way. */
function withoutOther(line: Line, isOther: boolean): Line {
  return isOther ? emptyLine(crypto.randomUUID(), { location: line.location }) : line;
}

/** The same lot number with another expiry is another lot (interface decisions, 5.2): a person says so. */
async function expiryQuestion(line: Line): Promise<Question | null> {
  if (line.part === null || line.lot === '') return null;
  const { data } = await client.call<Trace>('x.trace.parts', { params: { id: line.part } });
  const known = data.lots.filter(lot => lot.batch_number === line.lot).map(lot => lot.expiry_date ?? '');
  if (known.length === 0 || known.includes(line.expiry)) return null;
  return { kind: 'expiry', lot: line.lot, known, given: line.expiry };
}
