/** Records that went from one machine to another. */
export interface Transfer {
  /** From the first byte on the wire until both sides know that all is there. */
  seconds: number;
  records: number;
  /** Bytes on the wire, towards the server and back. */
  up: number;
  down: number;
  cpuSeconds: { server: number; client: number };
  /** From the start of the process. */
  peakMB: { server: number; client: number };
}

export function rateOf({ records, seconds }: Transfer): number {
  return records / seconds;
}

/** Both ways together. */
export function bytesPerRecord({ records, up, down }: Transfer): number {
  return (up + down) / records;
}

/** Seconds of a processor, of both sides, for a thousand records: what a busy machine hardly changes. */
export function cpuPerThousand({ records, cpuSeconds }: Transfer): number {
  return ((cpuSeconds.server + cpuSeconds.client) / records) * 1_000;
}
