/** The present day of this machine, `YYYY-MM-DD`: a proposal that a person sees and can change. */
export function today(): string {
  const now = new Date();
  return new Date(now.getTime() - now.getTimezoneOffset() * 60_000).toISOString().slice(0, 10);
}
