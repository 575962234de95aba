/** What goes away one day: since when it should not be used any more, until when it works at least, and what takes its place. */
export interface Deprecation {
  /** ISO 8601. */
  since: string;
  /** ISO 8601. A year after `since` at the earliest. */
  until: string;
  /** Page of the documentation, `/docs/…`. */
  link: string;
}

/** The headers by which a program notices: RFC 9745 (`Deprecation`), RFC 8594 (`Sunset`), and where to read what to do. */
export function deprecationHeaders({ since, until, link }: Deprecation): Record<string, string> {
  return {
    Deprecation: `@${Math.floor(Date.parse(since) / 1_000)}`,
    Sunset: new Date(until).toUTCString(),
    Link: `<${link}>; rel="deprecation"; type="text/html", <${link}>; rel="sunset"; type="text/html"`,
  };
}

/** Places among changes that are bare numbers, which version 0.1.0 gave: they say nothing of a restore. */
export const NUMBERED_PLACES: Deprecation = {
  since: '2026-11-25T00:00:00Z',
  until: '2027-11-25T00:00:00Z',
  link: '/docs/guide-versions',
};
