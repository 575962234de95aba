import { z } from 'zod';
import {
  type LabelFault,
  type LabelInput,
  type LabelJob,
  labelFaults,
  labelJobStates,
} from '../shared/contract/desktop-bridge.ts';
import { jsonFile } from './json-file.ts';

const common = {
  id: z.string(),
  title: z.string(),
  state: z.enum(labelJobStates),
  fault: z.enum(labelFaults).nullable(),
  detail: z.string().nullable(),
  content: z.base64(),
};

const jobSchema = z.discriminatedUnion('kind', [
  z.object({
    ...common,
    kind: z.literal('printer'),
    printer: z.string(),
    width_mm: z.number(),
    height_mm: z.number(),
  }),
  z.object({ ...common, kind: z.literal('network'), host: z.string(), port: z.number() }),
]);

/** A job as it is kept; `content` is base64. */
export type StoredLabelJob = z.infer<typeof jobSchema>;

/** Printing failed. `hasBegun`: the printer may have got something of it. The message is what others said of it. */
export class PrintFailure extends Error {
  readonly fault: LabelFault;
  readonly hasBegun: boolean;

  constructor(fault: LabelFault, hasBegun: boolean, detail = '') {
    super(detail);
    this.name = 'PrintFailure';
    this.fault = fault;
    this.hasBegun = hasBegun;
  }
}

export interface LabelQueueOptions {
  path: string;
  /** Hands a job to its printer; resolves when the printer, or the system's own queue, has all of it. */
  print: (job: StoredLabelJob) => Promise<void>;
  newId: () => string;
}

export interface LabelQueue {
  add(input: LabelInput): LabelJob;
  jobs(): LabelJob[];
  decide(id: string, decision: 'print_again' | 'drop'): LabelJob[];
  /** Resolves when no job is on its way to a printer. */
  idle(): Promise<void>;
  /** Takes no further job to a printer; what waits is printed after the next start. */
  close(): void;
}

/** More than anyone looks through; each may be some megabytes. */
const MOST_JOBS = 200;

/**
 * Labels in the order in which they were asked for, on disk before anybody is told that they were taken. That a job is
 * handed over is written down before the first byte leaves: so after a crash it is known that it may have been printed,
 * and a person is asked. A label that exists twice can be stuck on two things; none is a label that is asked for again.
 */
export function openLabelQueue({ path, print, newId }: LabelQueueOptions): LabelQueue {
  const file = jsonFile(path, z.array(jobSchema), []);
  let jobs = file.read();
  let running: Promise<void> | undefined;
  let isRunning = false;
  let isClosed = false;

  const keep = (next: StoredLabelJob[]) => {
    file.write(next);
    jobs = next;
  };
  const change = (
    id: string,
    state: StoredLabelJob['state'],
    fault: LabelFault | null = null,
    detail: string | null = null,
  ) => keep(jobs.map(job => (job.id === id ? { ...job, state, fault, detail } : job)));

  async function run(): Promise<void> {
    for (;;) {
      const job = isClosed ? undefined : jobs.find(({ state }) => state === 'queued');
      if (!job) {
        // In the turn in which nothing was found: whoever adds a job next starts it.
        isRunning = false;
        return;
      }
      change(job.id, 'handed_over');
      try {
        await print(job);
        keep(jobs.filter(({ id }) => id !== job.id));
      } catch (error) {
        const { fault, hasBegun, message } = failureOf(error);
        change(job.id, hasBegun ? 'asking' : 'failed', fault, message || null);
      }
    }
  }

  function goOn(): void {
    if (isRunning) return;
    isRunning = true;
    running = run();
  }

  const interrupted = jobs.filter(({ state }) => state === 'handed_over');
  for (const { id } of interrupted) change(id, 'asking', 'interrupted');
  goOn();

  return {
    add(input) {
      if (jobs.length >= MOST_JOBS) {
        throw new Error(`${MOST_JOBS} labels wait already. Print or drop them first.`);
      }
      const content = Buffer.from(input.content).toString('base64');
      const job: StoredLabelJob = {
        ...input,
        id: newId(),
        state: 'queued',
        fault: null,
        detail: null,
        content,
      };
      keep([...jobs, job]);
      goOn();
      return shown(job);
    },
    jobs: () => jobs.map(shown),
    decide(id, decision) {
      const job = jobs.find(each => each.id === id);
      if (job?.state === 'asking' || job?.state === 'failed') {
        if (decision === 'drop') keep(jobs.filter(each => each.id !== id));
        else change(id, 'queued');
        goOn();
      }
      return jobs.map(shown);
    },
    idle: async () => running,
    close() {
      isClosed = true;
    },
  };
}

/** Of what nobody foresaw the printer may have got something. */
function failureOf(error: unknown): PrintFailure {
  if (error instanceof PrintFailure) return error;
  return new PrintFailure('unknown', true, error instanceof Error ? error.message : String(error));
}

function shown(job: StoredLabelJob): LabelJob {
  const { id, title, state, fault, detail } = job;
  return {
    id,
    title,
    state,
    fault,
    detail,
    to: job.kind === 'printer' ? job.printer : `${job.host}:${job.port}`,
  };
}
