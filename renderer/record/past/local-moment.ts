/**
 * A moment (ISO 8601 with an offset) as a field of date and time has it: on this computer's clock, to the millisecond, so that what
 * was written within the second is not lost. Empty for anything else, such as a place in the log.
 */
export function localMoment(text: string): string {
  const moment = new Date(text);
  if (!text.includes('T') || Number.isNaN(moment.getTime())) return '';
  const local = new Date(moment.getTime() - moment.getTimezoneOffset() * 60_000);
  return local.toISOString().slice(0, -1);
}
