/** A person as paper names them: two people may have one name, and a login is never given to another. */
export function personOnPaper(name: unknown, login: unknown): string {
  const [known, unique] = [name, login].map(text => (typeof text === 'string' ? text : ''));
  return !known || known === unique ? (unique ?? '') : unique ? `${known} (${unique})` : known;
}
