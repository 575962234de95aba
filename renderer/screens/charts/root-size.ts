/** The size of text that the person has set, in pixels: what is drawn grows with it. */
export function rootSize(): number {
  return Number.parseFloat(getComputedStyle(document.documentElement).fontSize) || 16;
}
