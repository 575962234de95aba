import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';

export interface ConfirmButtonProps {
  label: string;
  /** The label with what it is about, for those who hear it alone. */
  named: string;
  /** What the second press says. */
  sure: string;
  onSure: () => void;
}

/** What cannot be taken back asks once more, in the same place. */
export function ConfirmButton({ label, named, sure, onSure }: ConfirmButtonProps) {
  const [isAsking, ask] = useDisclosure(false);
  return (
    <Button
      variant={isAsking ? 'filled' : 'default'}
      {...(isAsking && { color: 'red.9' })}
      aria-label={isAsking ? `${named}: ${sure}` : named}
      onClick={() => {
        if (isAsking) onSure();
        ask.toggle();
      }}
      onBlur={ask.close}
      onKeyDown={event => event.key === 'Escape' && ask.close()}
    >
      {isAsking ? sure : label}
    </Button>
  );
}
