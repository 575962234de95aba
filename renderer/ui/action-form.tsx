import { Button, Fieldset, Group, SimpleGrid, Stack } from '@mantine/core';
import { type FormEvent, type ReactNode, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFieldErrors } from '../i18n/use-server-message.ts';
import { Failure } from './failure.tsx';
import { useFirstFocus } from './first-focus.ts';

export interface ActionFormProps {
  title: string;
  /** The controls; errors of the server by the name of their field. */
  children: (errors: (name: string) => string | undefined) => ReactNode;
  submit: string;
  color?: string;
  onSubmit: () => Promise<unknown>;
  onClose: () => void;
}

/** A few fields for one action, in the page where it acts: no dialog covers what one decides about. Escape closes. */
export function ActionForm({ title, children, submit, color, onSubmit, onClose }: ActionFormProps) {
  const { t } = useTranslation('app');
  const form = useRef<HTMLFormElement>(null);
  const [failure, setFailure] = useState<unknown>(null);
  const [isBusy, setIsBusy] = useState(false);
  useFirstFocus(form);
  const errors = useFieldErrors(failure);

  const run = async (event: FormEvent) => {
    event.preventDefault();
    setIsBusy(true);
    setFailure(null);
    try {
      await onSubmit();
      onClose();
    } catch (error) {
      setFailure(error);
    } finally {
      setIsBusy(false);
    }
  };

  return (
    <form
      ref={form}
      onSubmit={event => void run(event)}
      onKeyDown={event => event.key === 'Escape' && onClose()}
      noValidate
      aria-label={title}
    >
      <Fieldset legend={title}>
        <Stack>
          <SimpleGrid cols={{ base: 1, sm: 2, lg: 3 }} className="form-grid">
            {children(errors)}
          </SimpleGrid>
          <Failure error={failure} />
          <Group>
            <Button type="submit" loading={isBusy} {...(color && { color })}>
              {submit}
            </Button>
            <Button variant="default" onClick={onClose}>
              {t('cancel')}
            </Button>
          </Group>
        </Stack>
      </Fieldset>
    </form>
  );
}
