import { TextInput } from '@mantine/core';
import { useState } from 'react';
import { ActionForm, type ActionFormProps } from './action-form.tsx';

export interface ReasonFormProps extends Pick<ActionFormProps, 'color' | 'onClose'> {
  /** What is done, over the form and on its button. */
  title: string;
  /** Of the reason. */
  label: string;
  description?: string;
  onSubmit: (reason: string) => Promise<unknown>;
}

/** An action that asks for nothing but its reason, which history keeps. */
export function ReasonForm({ title, label, description, onSubmit, ...rest }: ReasonFormProps) {
  const [reason, setReason] = useState('');
  return (
    <ActionForm title={title} submit={title} onSubmit={() => onSubmit(reason)} {...rest}>
      {errors => (
        <TextInput
          label={label}
          description={description}
          value={reason}
          onChange={event => setReason(event.currentTarget.value)}
          error={errors('reason')}
          required
          data-autofocus
        />
      )}
    </ActionForm>
  );
}
