import { useTranslation } from 'react-i18next';

/** The token of the server's environment, which is no name of anybody. */
const ENVIRONMENT = 'HOLDPOINT_TOKEN';

/** Who wrote something, as history names them, in words. */
export function useAuthorName(): (user: string) => string {
  const { t } = useTranslation('record');
  return user => (user === ENVIRONMENT ? t('author.environment') : user);
}
