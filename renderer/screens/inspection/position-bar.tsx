/** The share of the bar at each end that stands for beyond the limits. */
const MARGIN = 20;

/** Where a value lies between its limits: 0 is the lower one, 1 the upper one. The words beside it say the verdict. */
export function PositionBar({ at }: { at: number | null }) {
  if (at === null) return null;
  const place = Math.min(98, Math.max(2, MARGIN + at * (100 - 2 * MARGIN)));
  return (
    <span className="position-bar" aria-hidden>
      <span className="position-bar-within" />
      <span className="position-bar-value" style={{ left: `${place}%` }} />
    </span>
  );
}
