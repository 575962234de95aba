/** Any digit, any letter, anything: what stands in a lot format for characters that differ from lot to lot. */
const CLASSES: Readonly<Record<string, string>> = { '#': '\\d', '@': '\\p{L}', '?': '[^]' };

/**
 * Whether a lot number is written as the supplier writes them: `#` stands for a digit, `@` for a letter, `?` for any
 * character, everything else for itself, whatever its case.
 */
export function isOfLotFormat(format: string, lot: string): boolean {
  const pattern = [...format.trim()].map(
    sign => CLASSES[sign] ?? sign.replace(/[\\^$.*+?()[\]{}|/]/, '\\$&'),
  );
  return new RegExp(`^${pattern.join('')}$`, 'iu').test(lot.trim());
}
