import { useTranslation } from 'react-i18next';
import type { LabelJob } from '../../shared/contract/desktop-bridge.ts';
import { AppError } from '../../shared/contract/errors.ts';
import { useAddLabel, useKioskPrinter } from './desktop-calls.ts';
import { showPaper } from './show-paper.ts';

/** Of every document: A4. */
const [WIDTH_MM, HEIGHT_MM] = [210, 297];

/**
 * Prints a document at a kiosk: by the printer that the machine's policy names, without a dialog. Undefined where there is no kiosk.
 * @throws AppError where the policy names no printer; then the document is shown
 */
export function useKioskPrinting(): ((paper: Blob, title: string) => Promise<LabelJob>) | undefined {
  const { t } = useTranslation('desktop');
  const { data: kiosk } = useKioskPrinter();
  const { mutateAsync: add } = useAddLabel();
  if (!kiosk) return undefined;
  return async (paper, title) => {
    const { printer } = kiosk;
    if (printer === null) {
      await showPaper(paper);
      throw new AppError('conflict', t('kiosk.printer.none'));
    }
    const content = new Uint8Array(await paper.arrayBuffer());
    return add({ kind: 'printer', title, printer, width_mm: WIDTH_MM, height_mm: HEIGHT_MM, content });
  };
}
