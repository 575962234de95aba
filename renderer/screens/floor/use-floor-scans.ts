import { useCallback, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { AppError } from '../../../shared/contract/errors.ts';
import { useServerMessage } from '../../i18n/use-server-message.ts';
import { useScanSurface } from '../../ui/scan/scan-target.ts';
import { type Outcome, signal, useMute } from '../../ui/scan/signal.ts';

/** How a scan has ended, in words. */
export interface Said {
  outcome: Outcome;
  /** Of what. */
  text: string;
  why: string;
}

/**
 * Scans among shelves, one after the other in their order. Each ends taken, as a question or refused, with colour, word and
 * sound (decisions/0049); one that the server refuses, or does not answer, is refused in its words.
 * @param handle what a scan does, and how it ended
 * @param isOn false: the work is done, and no scan is for it
 */
export function useFloorScans(handle: (text: string) => Promise<Said>, isOn = true) {
  const { t } = useTranslation('floor');
  const say = useServerMessage();
  const mute = useMute();
  const [verdict, setVerdict] = useState<Said | null>(null);
  const latest = useRef({ handle, isMuted: mute.isMuted });
  latest.current = { handle, isMuted: mute.isMuted };
  const tail = useRef<Promise<void>>(Promise.resolve());

  const tell = useCallback((said: Said) => {
    setVerdict(said);
    signal(said.outcome, latest.current.isMuted);
  }, []);

  /** What is done while scans wait for it; how it ends is told as a scan's end is. */
  const run = useCallback(
    (text: string, work: () => Promise<Said>) => {
      tail.current = tail.current.then(async () => {
        try {
          tell(await work());
        } catch (error) {
          if (!(error instanceof AppError)) throw error;
          const messages = Object.values(error.errors ?? {}).flat();
          const why =
            error.code === 'unavailable'
              ? t('why.away')
              : (messages.length > 0 ? messages : [error.message]).map(say).join(' ');
          tell({ outcome: 'refused', text, why });
        }
      });
      return tail.current;
    },
    [tell, t, say],
  );

  const push = (text: string) => run(text, () => latest.current.handle(text));

  useScanSurface((text, isCut) => {
    if (document.activeElement instanceof HTMLInputElement) document.activeElement.blur();
    if (isCut) tell({ outcome: 'refused', text, why: t('why.cut') });
    else void push(text);
    return true;
  }, isOn);

  return { verdict, push, run, tell, mute };
}
