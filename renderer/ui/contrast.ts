import { useLocalStorage } from '@mantine/hooks';
import { useEffect } from 'react';

/** Black on white, or white on black, with a line around everything: for bad light. Remembered on this machine. */
export function useContrast() {
  const [contrast, setContrast] = useLocalStorage<'normal' | 'high'>({
    key: 'holdpoint.contrast',
    defaultValue: window.matchMedia('(prefers-contrast: more)').matches ? 'high' : 'normal',
    getInitialValueInEffect: false,
  });
  useEffect(() => {
    document.documentElement.dataset.contrast = contrast;
  }, [contrast]);
  return {
    isHigh: contrast === 'high',
    toggle: () => setContrast(contrast === 'high' ? 'normal' : 'high'),
  };
}
