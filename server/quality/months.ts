/** The months up to the one of `day`, oldest first: `YYYY-MM`. */
export function monthsUpTo(day: string, count: number): string[] {
  const [year = 0, month = 1] = day.split('-').map(Number);
  return Array.from({ length: count }, (_, index) => {
    const months = year * 12 + (month - 1) - (count - 1 - index);
    return `${String(Math.floor(months / 12)).padStart(4, '0')}-${String((months % 12) + 1).padStart(2, '0')}`;
  });
}

export function monthOf(day: string): string {
  return day.slice(0, 7);
}
