import type { ErrorCode, FieldErrors } from '../../shared/contract/errors.ts';
import type { Label } from './labels/label.ts';
import type { LabelPdfOptions } from './labels/label-pdf.ts';
import type { LabelZplOptions } from './labels/label-zpl.ts';
import type { Paper } from './paper.ts';

/** What the printing thread is given. */
export type PrintJob =
  | { kind: 'paper'; paper: Paper }
  | { kind: 'label-pdf'; labels: readonly Label[]; options: LabelPdfOptions }
  | { kind: 'label-zpl'; labels: readonly Label[]; options: LabelZplOptions };

/** What it answers: the file, what the caller can mend, or a fault of the program. */
export type PrintOutcome =
  | { file: Uint8Array }
  | { refused: { code: ErrorCode; message: string; errors: FieldErrors | undefined } }
  | { fault: unknown };
