import { type RefObject, useLayoutEffect, useState } from 'react';

/**
 * What is opened to be filled in begins with its first field: the one marked `data-autofocus`, else the first of all. It
 * has the focus before the form is seen, so that no key of a person who types on is lost. When it closes with the focus
 * in it, the control that opened it has the focus again, or the one that stands in its place with the same words; where a
 * key opened it, the page has.
 * @param isWanted false: it stands there with its page, which begins elsewhere
 */
export function useFirstFocus(form: RefObject<HTMLElement | null>, isWanted = true): void {
  // As it is drawn: what opened it may be gone once it is there.
  const [{ opener, path, takes }] = useState(() => ({
    opener: document.activeElement,
    path: location.pathname,
    takes: isWanted,
  }));
  useLayoutEffect(() => {
    const own = form.current;
    const around = own ? ancestorsOf(own) : [];
    const first = own?.querySelector<HTMLElement>('[data-autofocus]');
    if (takes) (first ?? own?.querySelector<HTMLElement>('input:not([type=hidden]), textarea'))?.focus();
    return () =>
      // When all that is drawn with its end stands in the page; another page has a focus of its own.
      queueMicrotask(() => {
        if (location.pathname === path) returnFocus(opener, around);
      });
  }, [form, opener, path, takes]);
}

function returnFocus(opener: Element | null, around: readonly Element[]): void {
  if (document.activeElement !== document.body || !(opener instanceof HTMLElement)) return;
  const place = around.find(one => one.isConnected);
  const successor = () =>
    [...(place?.querySelectorAll<HTMLElement>('button, a[href]') ?? [])].find(
      ({ textContent }) => textContent === opener.textContent,
    );
  const isPage = opener === document.body;
  const shown = opener.isConnected ? opener : successor();
  (isPage ? place?.closest<HTMLElement>('main') : shown)?.focus({ preventScroll: true });
}

function ancestorsOf(element: Element): Element[] {
  const { parentElement: parent } = element;
  return parent ? [parent, ...ancestorsOf(parent)] : [];
}
