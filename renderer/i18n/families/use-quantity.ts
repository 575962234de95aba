import { useFormats } from '../formats.ts';
import { useFamilyTexts } from './use-family-texts.ts';

/** A quantity with its unit as a person reads it: pieces (`EA`, `units`) have a word in the present language. */
export function useQuantity(): (quantity: number, unit: string | null | undefined) => string {
  const formats = useFormats();
  const unitOf = useUnit();
  return (quantity, unit) => `${formats.number(quantity)} ${unitOf(unit)}`.trim();
}

export function useUnit(): (unit: string | null | undefined) => string {
  const { choice } = useFamilyTexts();
  return unit => (unit ? choice(unit) : '');
}
