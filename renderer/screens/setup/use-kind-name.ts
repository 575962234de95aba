import { useTranslation } from 'react-i18next';
import { AUDIT_KINDS } from '../../../shared/families/audit-event.ts';

/** What people call a kind of event; one of a later version goes by its own name. */
export function useKindName(): (kind: string) => string {
  const { t } = useTranslation('setup');
  return kind => (AUDIT_KINDS.some(known => known === kind) ? t(`audit.kind.${kind}`) : kind);
}
