/** The order decides: browsers call themselves by the names of others as well. */
const BROWSERS = [
  ['Holdpoint', /Electron\//],
  ['Edge', /Edg\w*\//],
  ['Opera', /OPR\//],
  ['Firefox', /Firefox\//],
  ['Chrome', /Chrom(e|ium)\//],
  ['Safari', /Safari\//],
] as const;
const SYSTEMS = [
  ['Android', /Android/],
  ['iPad', /iPad/],
  ['iPhone', /iPhone/],
  ['Windows', /Windows/],
  ['macOS', /Mac OS X|Macintosh/],
  ['Linux', /Linux|X11/],
] as const;

/** What a browser calls itself, as people know it: `Firefox, Windows`. Empty where it says nothing. */
export function agentWords(agent: string | null): string {
  if (agent === null) return '';
  const known = [BROWSERS, SYSTEMS].flatMap(names => names.find(([, sign]) => sign.test(agent))?.[0] ?? []);
  return known.length > 0 ? known.join(', ') : agent.slice(0, 60);
}
