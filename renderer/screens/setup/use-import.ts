import { useEffect, useRef, useState } from 'react';
import type { z } from 'zod';
import { AppError } from '../../../shared/contract/errors.ts';
import type { importJobSchema } from '../../../shared/operations/extension-schemas.ts';
import { client } from '../../api/client.ts';
import { sendFile } from '../../desktop/send-file.ts';
import { filesOf, type Mapping } from './mapping.ts';

export type ImportJob = z.infer<typeof importJobSchema>;

const LOOK_MS = 250;

export interface ImportRun {
  /** What is checked or imported; null before. */
  job: ImportJob | null;
  /** `trial` writes nothing. */
  kind: 'trial' | 'import' | null;
  isRunning: boolean;
  failure: unknown;
  /** Gives the files to the server and follows the import to its end. The good rows only where `skipsBad`. */
  start: (mapping: Mapping, files: readonly File[], how: ImportHow) => Promise<void>;
  cancel: () => Promise<void>;
  /** What was found holds for another mapping. */
  forget: () => void;
}

export interface ImportHow {
  isTrial: boolean;
  skipsBad: boolean;
}

/** One import at a time, followed while the screen is open; leaving the screen leaves it running. */
export function useImport(): ImportRun {
  const [job, setJob] = useState<ImportJob | null>(null);
  const [kind, setKind] = useState<ImportRun['kind']>(null);
  const [isRunning, setIsRunning] = useState(false);
  const [failure, setFailure] = useState<unknown>(null);
  const left = useRef(new AbortController());
  useEffect(() => {
    left.current = new AbortController();
    return () => left.current.abort();
  }, []);

  const start = async (mapping: Mapping, files: readonly File[], { isTrial, skipsBad }: ImportHow) => {
    const { signal } = left.current;
    setJob(null);
    setFailure(null);
    setKind(isTrial ? 'trial' : 'import');
    setIsRunning(true);
    let id: string | undefined;
    try {
      const missing = filesOf(mapping).filter(name => !files.some(file => file.name === name));
      if (missing.length > 0) throw new MissingFiles(missing);
      // A trial goes on after a bad row in any case, so that all of them are told at once.
      const body = { mapping, dry_run: isTrial, skip_bad: isTrial || skipsBad };
      const made = await client.call('x.imports.create', { body, signal });
      id = made.data.id;
      for (const name of filesOf(mapping)) {
        const file = files.find(each => each.name === name);
        if (!file) continue;
        // A file of no known type would be sent with the browser's own.
        const headers = { 'Content-Type': 'application/octet-stream' };
        const params = { id, name };
        await sendFile(file, body => client.call('x.imports.file', { params, body, headers, signal }));
      }
      let { data } = await client.call('x.imports.run', { params: { id }, body: {}, signal });
      setJob(data);
      while (data.state === 'running') {
        await pause(LOOK_MS, signal);
        ({ data } = await client.call('x.imports.read', { params: { id }, signal }));
        setJob(data);
      }
    } catch (error) {
      if (signal.aborted) return;
      setFailure(error);
      // One that waits for ever would take the place of another.
      if (id !== undefined)
        await client.call('x.imports.cancel', { params: { id }, body: {} }).catch(() => {});
    } finally {
      if (!signal.aborted) setIsRunning(false);
    }
  };

  const cancel = async () => {
    if (!job) return;
    try {
      const { data } = await client.call('x.imports.cancel', { params: { id: job.id }, body: {} });
      setJob(data);
    } catch (error) {
      // It has ended in the meantime, which the next look shows.
      if (!(error instanceof AppError) || error.code !== 'conflict') setFailure(error);
    }
  };

  const forget = () => {
    setJob(null);
    setKind(null);
    setFailure(null);
  };

  return { job, kind, isRunning, failure, start, cancel, forget };
}

/** The mapping reads files that were not chosen. */
export class MissingFiles extends Error {
  readonly names: readonly string[];

  constructor(names: readonly string[]) {
    super(`Files are missing: ${names.join(', ')}`);
    this.names = names;
  }
}

function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, milliseconds);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      reject(signal.reason);
    });
  });
}
