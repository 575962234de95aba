import { Button, type ButtonProps } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';

/** Begins something new; the page that shows it does so at the key N as well. */
export function NewButton(props: ButtonProps & { onClick: () => void }) {
  return (
    <Button leftSection={<IconPlus aria-hidden />} rightSection={<kbd className="hint">N</kbd>} {...props} />
  );
}
