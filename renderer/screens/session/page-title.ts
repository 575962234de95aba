import { useEffect } from 'react';

/** The window's title while the screen is shown; the one before it comes back afterwards. */
export function usePageTitle(title: string): void {
  useEffect(() => {
    const before = document.title;
    document.title = `${title} · Holdpoint`;
    return () => {
      document.title = before;
    };
  }, [title]);
}
