/** A code that was out of sight for so long comes into it anew: shorter than a hand needs for the next label of the same goods. */
const GONE_MS = 2_000;
/** Two looks of one code, no further apart: what is misread once is not read so twice. */
const TWICE_MS = 1_000;

export interface Sight {
  /** @param at milliseconds, of one clock @returns the codes that are scans now: each once for as long as it is held before the camera */
  see: (codes: readonly string[], at: number) => string[];
}

/** A camera sees a label many times where a scanner reads it once. */
export function createSight(): Sight {
  const looks = new Map<string, { last: number; isTaken: boolean }>();
  return {
    see(codes, at) {
      for (const [code, { last, isTaken }] of looks)
        if (at - last > (isTaken ? GONE_MS : TWICE_MS)) looks.delete(code);
      return [...new Set(codes)].filter(code => {
        const before = looks.get(code);
        looks.set(code, { last: at, isTaken: before !== undefined });
        return before !== undefined && !before.isTaken;
      });
    },
  };
}
