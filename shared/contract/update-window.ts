import { z } from 'zod';

const GIVE = 'Give two times of day, such as 22:00-05:00.';
const WINDOW = /^([01]\d|2[0-3]):([0-5]\d)-([01]\d|2[0-3]):([0-5]\d)$/;

/**
 * The hours of a machine's updates, every day, by its clock and in its time zone: from the first time on, and before the second.
 * `22:00-05:00` goes over midnight.
 */
export const updateWindowSchema = z
  .string({ error: GIVE })
  .regex(WINDOW, { error: GIVE })
  .refine(text => text.slice(0, 5) !== text.slice(6), {
    error: 'Give two different times, such as 22:00-05:00.',
  });

/**
 * Whether updates may be offered and installed at a moment. Where clocks are put forward, a window that lies in the hour which is
 * left out does not open that day; where they are put back, the hour that comes twice counts twice.
 * @param window as `updateWindowSchema` takes it; undefined: always
 */
export function isInWindow(window: string | undefined, at: Date): boolean {
  if (window === undefined) return true;
  const [, fromHour, fromMinute, toHour, toMinute] = WINDOW.exec(window) ?? [];
  const from = Number(fromHour) * 60 + Number(fromMinute);
  const to = Number(toHour) * 60 + Number(toMinute);
  const now = at.getHours() * 60 + at.getMinutes();
  return from < to ? from <= now && now < to : now >= from || now < to;
}
