import { useTranslation } from 'react-i18next';
import { AppError } from '../../shared/contract/errors.ts';
import { CallError } from '../../shared/operations/send-operation.ts';
import { useFamilyTexts } from './families/use-family-texts.ts';
import { knownMessage, serverMessage } from './server-messages.ts';

/** Messages of the server in the present language. */
export function useServerMessage(): (message: string) => string {
  const { i18n } = useTranslation();
  const { word } = useFamilyTexts();
  return message => serverMessage(message, i18n.language, word);
}

/** Messages of a failure in the present language: what a screen itself refuses is said in it already. */
export function useFailureMessage(failure: unknown): (message: string) => string {
  const { i18n } = useTranslation();
  const { word } = useFamilyTexts();
  const say = useServerMessage();
  if (failure instanceof CallError) return say;
  return message => knownMessage(message, i18n.language, word) ?? message;
}

/** What a refused write says about a field (`items.0.quantity`), in the present language; undefined: nothing. */
export function useFieldErrors(failure: unknown): (path: string) => string | undefined {
  const say = useFailureMessage(failure);
  const errors = failure instanceof AppError ? failure.errors : undefined;
  return path => errors?.[path]?.map(say).join(' ');
}
