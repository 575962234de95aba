import { useTranslation } from 'react-i18next';
import { ACT_KINDS, type ActPolicy, type Deviations } from '../../../shared/families/signature-policy.ts';
import { useFamilyTexts } from '../../i18n/families/use-family-texts.ts';

/** What is asked of a kind of act, in words: "signature, reason, second person". */
export function usePolicyWords(): (policy: ActPolicy) => string {
  const { t } = useTranslation('quality');
  return policy =>
    policy.is_signed
      ? [
          t('sign.asked'),
          policy.needs_reason && t('sign.asked.reason'),
          policy.needs_second_person && t('sign.asked.another'),
        ]
          .filter(Boolean)
          .join(', ')
      : t('sign.asked.none');
}

/** Kinds of act of which the site asks something else than its policy, one a line. */
export function useDeviationWords(): (deviations: Deviations) => string {
  const words = usePolicyWords();
  const texts = useFamilyTexts();
  return deviations =>
    ACT_KINDS.flatMap(kind => {
      const policy = deviations[kind];
      return policy ? [`${texts.choice(kind)}: ${words(policy)}`] : [];
    }).join('\n');
}
