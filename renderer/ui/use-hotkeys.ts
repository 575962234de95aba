import { getHotkeyHandler, type HotkeyItem } from '@mantine/hooks';
import { useLayoutEffect, useRef } from 'react';

/** Where a letter is text. */
const TYPED_INTO = ['INPUT', 'TEXTAREA', 'SELECT'];

/**
 * Keys of a screen, from the moment on at which it is drawn: the library's own hook listens in a later task, and a key
 * pressed before that is lost.
 * @param except tags of controls in which the keys are text; none for keys that no text has
 */
export function useHotkeys(hotkeys: HotkeyItem[], except: readonly string[] = TYPED_INTO): void {
  const latest = useRef({ hotkeys, except });
  latest.current = { hotkeys, except };
  useLayoutEffect(() => {
    const listen = (event: KeyboardEvent) => {
      const { hotkeys, except } = latest.current;
      const { target } = event;
      const isText =
        target instanceof HTMLElement && (target.isContentEditable || except.includes(target.tagName));
      if (!isText) getHotkeyHandler(hotkeys)(event);
    };
    document.documentElement.addEventListener('keydown', listen);
    return () => document.documentElement.removeEventListener('keydown', listen);
  }, []);
}
