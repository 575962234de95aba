import { AppError } from '../../shared/contract/errors.ts';

/** One line at the terminal that is written over; nothing where the output is kept. */
export function progressLine(stream: NodeJS.WriteStream): {
  show: (text: string) => void;
  clear: () => void;
} {
  const isTerminal = stream.isTTY === true;
  return {
    show: text => {
      if (isTerminal) stream.write(`\r\u001b[K${text}`);
    },
    clear: () => {
      if (isTerminal) stream.write('\r\u001b[K');
    },
  };
}

/** Runs `work` with a signal that Ctrl-C aborts. */
export async function cancellable<Result>(work: (signal: AbortSignal) => Promise<Result>): Promise<Result> {
  const cancel = new AbortController();
  const onInterrupt = () => cancel.abort(new AppError('conflict', 'Cancelled.'));
  process.once('SIGINT', onInterrupt);
  try {
    return await work(cancel.signal);
  } finally {
    process.off('SIGINT', onInterrupt);
  }
}
