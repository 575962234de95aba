import { type RefObject, useEffect } from 'react';

/** What is opened to be filled in begins with its first field: the one marked `data-autofocus`, else the first of all. */
export function useFirstFocus(form: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const first = form.current?.querySelector<HTMLElement>('[data-autofocus]');
    (first ?? form.current?.querySelector<HTMLElement>('input:not([type=hidden]), textarea'))?.focus();
  }, [form]);
}
