/** The browser reads a file after it was handed over; a minute is enough to begin. */
const KEPT_MS = 60_000;

/** Gives the user a file to keep, as a download. */
export function saveFile(content: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = urlOf(content);
  link.download = name;
  link.click();
}

/** Shows a file (a PDF) in a window of its own, from where it is printed; `fragment`: what its viewer is told. */
export function showFile(content: Blob, fragment = ''): void {
  const link = document.createElement('a');
  link.href = urlOf(content) + fragment;
  link.target = '_blank';
  link.click();
}

function urlOf(content: Blob): string {
  const url = URL.createObjectURL(content);
  setTimeout(() => URL.revokeObjectURL(url), KEPT_MS);
  return url;
}
