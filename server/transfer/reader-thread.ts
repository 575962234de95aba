import { once } from 'node:events';
import { parentPort, workerData } from 'node:worker_threads';
import { FaultList, FileFault } from './fault.ts';
import type { ImportRow } from './import-row.ts';
import { createStepReader, type StepReader } from './read-steps.ts';
import type { ReaderCommand, ReaderMessage, ReaderTask } from './reader-messages.ts';

/** Rows of one batch: one commit of the import, one entry of history. */
const BATCH = 200;
/** Batches on their way, so that reading and writing go on side by side. */
const AHEAD = 2;
const PROGRESS_ROWS = 2_000;

if (parentPort) void read(parentPort, workerData as ReaderTask);

async function read(port: NonNullable<typeof parentPort>, task: ReaderTask): Promise<void> {
  const send = (message: ReaderMessage) => port.postMessage(message);
  const faults = new FaultList(task.faultLimit);
  const reader = createStepReader({ ...task, onBad: bad => faults.add(bad) });
  try {
    await check(reader, faults, send);
    const [command] = (await once(port, 'message')) as [ReaderCommand];
    if (command === 'go') await sendRows(port, reader, send);
    send({ kind: 'end' });
  } catch (error) {
    if (!(error instanceof FileFault)) throw error;
    send({ kind: 'broken', fault: { ...error.place, message: error.message } });
  } finally {
    reader.close();
    port.close();
  }
}

async function check(
  reader: StepReader,
  faults: FaultList,
  send: (message: ReaderMessage) => void,
): Promise<void> {
  let rows = 0;
  for (const index of reader.plans.keys()) {
    for await (const _ of reader.rows(index)) {
      rows += 1;
      if (rows % PROGRESS_ROWS === 0) send({ kind: 'progress', rows, ...faults.take() });
    }
  }
  send({ kind: 'progress', rows, ...faults.take() });
  send({ kind: 'checked', rows, unmapped: reader.unmappedColumns() });
}

async function sendRows(
  port: NonNullable<typeof parentPort>,
  reader: StepReader,
  send: (message: ReaderMessage) => void,
): Promise<void> {
  reader.again();
  let onTheirWay = 0;
  const sendBatch = async (step: number, rows: ImportRow[], isLastOfStep: boolean) => {
    send({ kind: 'batch', step, rows, isLastOfStep });
    onTheirWay += 1;
    while (onTheirWay >= AHEAD) {
      await once(port, 'message');
      onTheirWay -= 1;
    }
  };
  for (const step of reader.plans.keys()) {
    let rows: ImportRow[] = [];
    let size = 0;
    for await (const row of reader.rows(step)) {
      if (row === null) continue;
      rows.push(row);
      // Items weigh as much as records: an order of a thousand lines is a batch by itself.
      size += Object.keys(row.places).length;
      if (size < BATCH) continue;
      await sendBatch(step, rows, false);
      rows = [];
      size = 0;
    }
    await sendBatch(step, rows, true);
  }
}
