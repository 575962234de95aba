/**
 * When something happened that was written down at `moment`: the day that a person gave for it, as work that is put in
 * later has one; else the moment, which is also the more exact word for the same day (both in UTC).
 */
export function givenDay(day: unknown, moment: string): string {
  return typeof day === 'string' && day !== '' && !moment.startsWith(day) ? day : moment;
}
