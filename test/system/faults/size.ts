/** `HOLDPOINT_FAULTS=long` runs every kit of faults at its full size. */
export const isLong = process.env.HOLDPOINT_FAULTS === 'long';

/** The size of a kit, and how the name of its test says it. */
export interface Size {
  count: number;
  name: string;
}

/** `override`: the value of a variable of the kit's own, where somebody has set one. */
export function sizeOf(short: number, long: number, override?: string): Size {
  if (override !== undefined && override !== '')
    return { count: Number(override), name: `${override}, as set` };
  return isLong
    ? { count: long, name: `${long}, the long run` }
    : { count: short, name: `${short}, the short run` };
}
