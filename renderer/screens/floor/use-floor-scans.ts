import { useCallback, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { AppError } from '../../../shared/contract/errors.ts';
import { client } from '../../api/client.ts';
import { useRecordWords } from '../../i18n/families/use-record-words.ts';
import { useServerMessage } from '../../i18n/use-server-message.ts';
import { isAboutReason } from '../../ui/reason/about-reason.ts';
import { commandOf, shownScan } from '../../ui/scan/commands.ts';
import { useScanSurface } from '../../ui/scan/scan-target.ts';
import { type Outcome, signal, useMute } from '../../ui/scan/signal.ts';
import { today } from '../../ui/today.ts';
import { readGoods, type Scanned } from './read-goods.ts';

/** How a scan has ended, in words. */
export interface Said {
  outcome: Outcome;
  /** Of what. */
  text: string;
  why: string;
}

/**
 * Scans among shelves, one after the other in their order. Each ends taken, as a question or refused, with colour, word and
 * sound (decisions/0049); one that the server refuses, or does not answer, is refused in its words, and one that it wants a reason for is a question.
 * @param handle what a scan does, and how it ended
 * @param isOn false: the work is done, and no scan is for it
 * @param undo takes back what the last scan did, where that can be
 */
export function useFloorScans(
  handle: (read: Scanned) => Promise<Said>,
  isOn = true,
  undo?: () => Promise<Said>,
) {
  const { t } = useTranslation('floor');
  const say = useServerMessage();
  const words = useRecordWords();
  const mute = useMute();
  const [verdict, setVerdict] = useState<Said | null>(null);
  const latest = useRef({ handle, undo, words, isMuted: mute.isMuted });
  latest.current = { handle, undo, words, isMuted: mute.isMuted };
  const tail = useRef<Promise<void>>(Promise.resolve());

  const tell = useCallback((said: Said) => {
    setVerdict(said);
    signal(said.outcome, latest.current.isMuted);
  }, []);

  /** What is done while scans wait for it; how it ends is told as a scan's end is. */
  const run = useCallback(
    (text: string, work: (name: (called: string) => void) => Promise<Said>) => {
      let called = text;
      tail.current = tail.current.then(async () => {
        try {
          tell(
            await work(name => {
              called = name;
            }),
          );
        } catch (error) {
          if (!(error instanceof AppError)) throw error;
          const messages = Object.values(error.errors ?? {}).flat();
          const why =
            error.code === 'unavailable'
              ? t('why.away')
              : (messages.length > 0 ? messages : [error.message]).map(say).join(' ');
          tell({ outcome: isAboutReason(error) ? 'question' : 'refused', text: called, why });
        }
      });
      return tail.current;
    },
    [tell, t, say],
  );

  const push = (text: string) =>
    run(shownScan(text), async name => {
      const { undo: takeBack, words: of } = latest.current;
      if (takeBack && commandOf(text) === 'undo') return takeBack();
      const read = await readGoods(client, of, text, today());
      name(read.name);
      return latest.current.handle(read);
    });

  useScanSurface((text, isCut) => {
    if (document.activeElement instanceof HTMLInputElement) document.activeElement.blur();
    if (isCut) tell({ outcome: 'refused', text: shownScan(text), why: t('why.cut') });
    else void push(text);
    return true;
  }, isOn);

  return { verdict, push, run, tell, mute };
}
