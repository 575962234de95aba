import type { ClockStanding } from './clock-watch.ts';

/** That this machine's clock is not confirmed, and what to do. */
export function saysUnconfirmed({ atLeast, offset }: Pick<ClockStanding, 'atLeast' | 'offset'>): string {
  const says = new Date(Date.parse(atLeast) + offset).toISOString();
  return `This machine's clock is not confirmed: it says ${minutes(says)} UTC and should say ${minutes(atLeast)} UTC at least. Set it right, or have somebody of quality or an administrator confirm it (Setup, Clock, or holdpoint clock confirm). What is written meanwhile is marked.`;
}

function minutes(moment: string): string {
  return moment.slice(0, 16).replace('T', ' ');
}
