export interface ShutdownOptions {
  /** Everything that must come to its end in order, such as the server. */
  stop: () => Promise<void>;
  /** Ends the app; it asks again whether it may. */
  quit: () => void;
  onFault: (error: unknown) => void;
}

/**
 * For `before-quit`: the app ends only after what it runs has ended, so that no write is cut and an update is installed
 * over nothing that still runs. Whatever goes wrong meanwhile, it ends.
 */
export function createShutdown({ stop, quit, onFault }: ShutdownOptions) {
  let state: 'open' | 'stopping' | 'stopped' = 'open';
  return {
    isUnderWay: () => state !== 'open',
    beforeQuit(event: { preventDefault(): void }): void {
      if (state === 'stopped') return;
      event.preventDefault();
      if (state === 'stopping') return;
      state = 'stopping';
      stop()
        .catch(onFault)
        .finally(() => {
          state = 'stopped';
          quit();
        });
    },
  };
}
