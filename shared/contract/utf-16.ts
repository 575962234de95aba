/**
 * The form of UTF-16 that a text begins in: by its mark, or by the zero beside the first character of what begins with an ASCII
 * character, as JSON and most tables do. Undefined: it is another encoding.
 */
export function utf16Of(bytes: Uint8Array): 'utf-16be' | 'utf-16le' | undefined {
  const [first, second] = bytes;
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  if (first === 0 && second !== 0 && second !== undefined) return 'utf-16be';
  return first !== 0 && second === 0 ? 'utf-16le' : undefined;
}
