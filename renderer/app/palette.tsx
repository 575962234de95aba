import { useDisclosure } from '@mantine/hooks';

export function usePalette() {
  const [isOpen, { open, close }] = useDisclosure();
  return { isOpen, open, close };
}

/** Finds any record or action by typing. */
export function Palette(_props: { opened: boolean; onClose: () => void }) {
  return null;
}
