import { useSearchParams } from 'react-router';

/** What is shown stands in the address: other screens lead to a picture, and "back" to the one before. */
export interface ChartAddress {
  text(name: string): string | null;
  /** An id; null where none is given. */
  number(name: string): number | null;
  /** Null takes one out. */
  set(values: Record<string, string | number | null>): void;
}

export function useChartAddress(): ChartAddress {
  const [parameters, setParameters] = useSearchParams();
  return {
    text: name => parameters.get(name) || null,
    number: name => {
      const value = Number(parameters.get(name));
      return Number.isSafeInteger(value) && value > 0 ? value : null;
    },
    set: values =>
      setParameters(former => {
        const next = new URLSearchParams(former);
        for (const [name, value] of Object.entries(values)) {
          if (value === null) next.delete(name);
          else next.set(name, String(value));
        }
        return next;
      }),
  };
}
