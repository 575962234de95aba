import { useTranslation } from 'react-i18next';
import { useWrite } from '../../api/calls.ts';
import { ReasonForm } from '../../ui/reason-form.tsx';

/** Takes the verdict back, with a reason that history keeps. */
export function Reopen({ id, onClose }: { id: number; onClose: () => void }) {
  const { t } = useTranslation('inspection');
  const { mutateAsync } = useWrite('inspections.update');
  return (
    <ReasonForm
      title={t('reopen')}
      label={t('reason')}
      description={t('reason.hint')}
      kind="verdict"
      onClose={onClose}
      onSubmit={reason => mutateAsync({ params: { id }, body: { passed: null, reason } })}
    />
  );
}
