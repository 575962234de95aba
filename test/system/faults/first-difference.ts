const AROUND = 30;

/** Where two texts part, with what stands around it: `…"olf":null… instead of …"old":null…`. */
export function firstDifference(expected: string, actual: string): string {
  let at = 0;
  while (at < expected.length && expected[at] === actual[at]) at += 1;
  const around = (text: string) => JSON.stringify(text.slice(Math.max(0, at - AROUND), at + AROUND));
  return `${around(actual)} instead of ${around(expected)}`;
}
