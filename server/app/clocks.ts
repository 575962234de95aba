import { uptime } from 'node:os';

/**
 * The machine's clock, and one that nobody sets. Since when the machine runs goes on while it sleeps, on Linux, Windows and
 * macOS alike, which what `process.hrtime` counts does not everywhere: a machine that slept has not had its clock changed.
 */
export const clocks = { clock: () => new Date(), steady: () => uptime() * 1_000 };
