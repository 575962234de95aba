import { ActionForm, type ActionFormProps } from './action-form.tsx';
import type { ReasonKind } from './reason/reasons.ts';

export interface ReasonFormProps
  extends Pick<ActionFormProps, 'color' | 'onClose' | 'signs' | 'onSubmit' | 'children'> {
  /** What is done, over the form and on its button unless that says it in words of its own. */
  title: string;
  submit?: string;
  /** Of the reason; else it is called so. */
  label?: string;
  description?: string;
  /** What people mostly say of it; else there is nothing to choose but one's own words. */
  kind?: ReasonKind;
}

/** An action that asks for nothing but its reason, which history keeps. */
export function ReasonForm({
  title,
  submit = title,
  label,
  description,
  kind = 'own',
  ...rest
}: ReasonFormProps) {
  const reason = {
    kind,
    isDue: true,
    isAutoFocused: true,
    ...(label !== undefined && { label }),
    ...(description !== undefined && { description }),
  };
  return <ActionForm title={title} submit={submit} reason={reason} {...rest} />;
}
