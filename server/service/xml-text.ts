const ESCAPED: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** Text as it stands between two tags, or in an attribute. */
export function xmlText(text: string): string {
  return text.replace(/[&<>"]/g, character => ESCAPED[character] ?? character);
}
