import { useState } from 'react';

/** Work that a press begins: whether it goes on, and what it failed of until it is begun again. */
export function useTask() {
  const [failure, setFailure] = useState<unknown>(null);
  const [isBusy, setIsBusy] = useState(false);
  const run = async (work: () => Promise<void>) => {
    setFailure(null);
    setIsBusy(true);
    try {
      await work();
    } catch (error) {
      setFailure(error);
    } finally {
      setIsBusy(false);
    }
  };
  return { run, isBusy, failure };
}
