import { parentPort } from 'node:worker_threads';
import { AppError } from '../../shared/contract/errors.ts';
import { labelPdf } from './labels/label-pdf.ts';
import { labelZpl } from './labels/label-zpl.ts';
import type { PrintJob, PrintOutcome } from './print-job.ts';
import { renderPaper } from './render-paper.ts';

/** Lays out and draws, one job after the other, until nobody listens. */
parentPort?.on('message', (job: PrintJob) => {
  void outcomeOf(job).then(outcome => parentPort?.postMessage(outcome));
});

async function outcomeOf(job: PrintJob): Promise<PrintOutcome> {
  try {
    return { file: await fileOf(job) };
  } catch (error) {
    if (!(error instanceof AppError)) return { fault: error };
    return { refused: { code: error.code, message: error.message, errors: error.errors } };
  }
}

async function fileOf(job: PrintJob): Promise<Uint8Array> {
  switch (job.kind) {
    case 'paper':
      return renderPaper(job.paper);
    case 'label-pdf':
      return labelPdf(job.labels, job.options);
    case 'label-zpl':
      return Buffer.from(job.labels.map(label => labelZpl(label, job.options)).join(''));
  }
}
