/** Gives the user a file to keep, as a download. */
export function saveFile(content: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(content);
  link.download = name;
  link.click();
  // The browser reads it after this; a minute is enough to begin.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
