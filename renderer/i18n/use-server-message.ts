import { useTranslation } from 'react-i18next';
import { AppError } from '../../shared/errors.ts';
import { useFamilyTexts } from '../families/family-texts.ts';
import { serverMessage } from './server-messages.ts';

/** Messages of the server in the present language. */
export function useServerMessage(): (message: string) => string {
  const { i18n } = useTranslation();
  const { word } = useFamilyTexts();
  return message => serverMessage(message, i18n.language, word);
}

/** What a refused write says about a field (`items.0.quantity`), in the present language; undefined: nothing. */
export function useFieldErrors(failure: unknown): (path: string) => string | undefined {
  const say = useServerMessage();
  const errors = failure instanceof AppError ? failure.errors : undefined;
  return path => errors?.[path]?.map(say).join(' ');
}
