import type { FormEvent, RefObject } from 'react';

/** Focuses the form's input of that name. @param value what it holds from now on; left out: what it holds */
export function focusInput(form: RefObject<HTMLFormElement | null>, name: string, value?: string): void {
  const input = form.current?.elements.namedItem(name);
  if (!(input instanceof HTMLInputElement)) return;
  if (value !== undefined) input.value = value;
  input.focus();
}

/** What was typed into a form that is being sent, by the names of its inputs; nothing for one that it does not have. */
export function typedIn<Name extends string>(
  event: FormEvent<HTMLFormElement>,
  names: readonly Name[],
): Record<Name, string> {
  event.preventDefault();
  const typed = new FormData(event.currentTarget);
  return Object.fromEntries(names.map(name => [name, typed.get(name) ?? ''])) as Record<Name, string>;
}
