import { type RefObject, useLayoutEffect } from 'react';

/**
 * What is opened to be filled in begins with its first field: the one marked `data-autofocus`, else the first of all. It
 * has the focus before the form is seen, so that no key of a person who types on is lost.
 */
export function useFirstFocus(form: RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    const first = form.current?.querySelector<HTMLElement>('[data-autofocus]');
    (first ?? form.current?.querySelector<HTMLElement>('input:not([type=hidden]), textarea'))?.focus();
  }, [form]);
}
