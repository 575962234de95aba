import { useTranslation } from 'react-i18next';
import { families } from '../../../shared/families/registry.ts';
import { useWrite } from '../../api/calls.ts';
import { ReasonForm } from '../../ui/reason-form.tsx';
import { changeOf } from '../../ui/signing/signing.tsx';

/** Locks a lot by hand, or lifts the lock that a person set; what inspections and results lock stays locked. */
export function LockLot({ id, isLocked, onClose }: { id: number; isLocked: boolean; onClose: () => void }) {
  const { t } = useTranslation('stock');
  const { mutateAsync } = useWrite('x.inventory.lock');
  return (
    <ReasonForm
      title={t(isLocked ? 'unlock' : 'lock')}
      label={t('reason:reason')}
      description={t('reason.hint')}
      kind={isLocked ? 'release' : 'own'}
      color="red"
      onClose={onClose}
      signs={changeOf(
        families.inventory,
        { is_locked_by_person: isLocked },
        { is_locked_by_person: !isLocked },
      )}
      onSubmit={(reason, signature) =>
        mutateAsync({ params: { id }, body: { is_locked: !isLocked, reason, ...signature } })
      }
    />
  );
}
