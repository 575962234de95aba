import { useTranslation } from 'react-i18next';

/** The language of the screens, as papers and names of the system take it. */
export function useLanguage(): 'en' | 'de' {
  return useTranslation().i18n.language === 'de' ? 'de' : 'en';
}
