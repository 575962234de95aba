import type { RefObject } from 'react';

/**
 * Focuses the form's input of that name before returning: the form library's own `setFocus` does so in a later task, and a
 * person who types on loses the keys between.
 */
export function focusInput(form: RefObject<HTMLFormElement | null>, name: string): void {
  const input = form.current?.elements.namedItem(name);
  if (input instanceof HTMLInputElement) input.focus();
}
