import { ActionForm, type ActionFormProps } from './action-form.tsx';
import type { ReasonKind } from './reason/reasons.ts';

export interface ReasonFormProps extends Pick<ActionFormProps, 'color' | 'onClose' | 'signs' | 'onSubmit'> {
  /** What is done, over the form and on its button. */
  title: string;
  /** Of the reason; else it is called so. */
  label?: string;
  description?: string;
  /** What people mostly say of it; else there is nothing to choose but one's own words. */
  kind?: ReasonKind;
}

/** An action that asks for nothing but its reason, which history keeps. */
export function ReasonForm({ title, label, description, kind = 'own', ...rest }: ReasonFormProps) {
  const reason = {
    kind,
    isDue: true,
    isAutoFocused: true,
    ...(label !== undefined && { label }),
    ...(description !== undefined && { description }),
  };
  return <ActionForm title={title} submit={title} reason={reason} {...rest} />;
}
