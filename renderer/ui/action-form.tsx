import { Button, Fieldset, Group, SimpleGrid, Stack } from '@mantine/core';
import { type FormEvent, type ReactNode, useLayoutEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { canBeSigned } from '../../shared/families/signature-acts.ts';
import type { SignedChange } from '../../shared/families/signatures-due.ts';
import { useFieldErrors } from '../i18n/use-server-message.ts';
import { Failure } from './failure.tsx';
import { useFirstFocus } from './first-focus.ts';
import { isAboutReason, isAboutSigning, isSaidInPlace } from './reason/about-reason.ts';
import { ReasonInput, type ReasonInputProps, useRememberReason } from './reason/reason-input.tsx';
import { goToSignature } from './signing/go-to-signature.ts';
import { SigningField, useSigner } from './signing/signing.tsx';

export interface ActionFormProps {
  title: string;
  /** The controls; errors of the server by the name of their field. */
  children?: (errors: (name: string) => string | undefined) => ReactNode;
  submit: string;
  color?: string;
  /** With its reason: what was saved changes with one only. It is asked for where it is due, or once the server asks for it. */
  reason?: Pick<ReasonInputProps, 'kind' | 'label' | 'description' | 'isDue' | 'isAutoFocused'>;
  /** What it does to a record: it is signed in place where the site's settings want that, or once the server asks for it. */
  signs?: SignedChange;
  /**
   * @param reason empty where none was asked for
   * @param signature what the write carries beside its fields
   */
  onSubmit: (reason: string, signature: Record<string, string>) => Promise<unknown>;
  onClose: () => void;
  /** It stands there with its page, which does not begin in it. */
  isBeside?: boolean;
}

/** A few fields for one action, in the page where it acts: no dialog covers what one decides about. Escape closes. */
export function ActionForm(props: ActionFormProps) {
  const { title, children, submit, color, reason, signs, onSubmit, onClose, isBeside } = props;
  const { t } = useTranslation('app');
  const { t: tReason } = useTranslation('reason');
  const form = useRef<HTMLFormElement>(null);
  const [failure, setFailure] = useState<unknown>(null);
  const [isBusy, setIsBusy] = useState(false);
  const [why, setWhy] = useState('');
  const [isMissing, setIsMissing] = useState(false);
  const [isAsked, setIsAsked] = useState(false);
  const remember = useRememberReason();
  useFirstFocus(form, isBeside !== true);
  const errors = useFieldErrors(failure);
  // Filled by the controls as they are drawn, before what stands below them is.
  const shownAt = new Set<string>();
  const [isToSign, setIsToSign] = useState(false);
  const signer = useSigner(signs !== undefined && canBeSigned(signs.family));
  const signing = signer.of(signs ?? null, isToSign);
  const isDue = reason !== undefined && (reason.isDue === true || isAsked || signing.needsReason);
  const isWanted = reason !== undefined && (isMissing || isAsked) && why.trim() === '';

  // What is missing has the focus: one key, and Enter once more.
  useLayoutEffect(() => {
    if (isWanted) form.current?.querySelector<HTMLElement>('[data-reason] input')?.focus();
  }, [isWanted]);

  useLayoutEffect(() => {
    if (failure) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [failure]);

  const run = async (event: FormEvent) => {
    event.preventDefault();
    if (isDue && why.trim() === '') {
      setIsMissing(true);
      form.current?.querySelector<HTMLElement>('[data-reason] input')?.focus();
      return;
    }
    if (goToSignature(form.current)) return;
    setIsBusy(true);
    setFailure(null);
    setIsMissing(false);
    try {
      await onSubmit(isDue ? why.trim() : '', signing.bodyOf(why.trim()));
      if (reason) remember(reason.kind, why);
      onClose();
    } catch (error) {
      setFailure(error);
      if (reason && isAboutReason(error)) setIsAsked(true);
      // Forms that sign by themselves show the error at their own control.
      if (reason && isAboutSigning(error)) setIsToSign(true);
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
            {children?.(name => {
              shownAt.add(name);
              return errors(name);
            })}
          </SimpleGrid>
          {reason && isDue && (
            <ReasonInput
              {...reason}
              isDue
              value={why}
              onChange={setWhy}
              error={
                isWanted
                  ? tReason(reason.kind === 'own' ? 'say' : 'due')
                  : (errors('reason') ?? errors('esignature_reason'))
              }
            />
          )}
          {reason && <SigningField signing={signing} error={errors('esignature_password')} />}
          {!(reason && isSaidInPlace(failure)) && <Failure error={failure} shownAt={shownAt} />}
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
