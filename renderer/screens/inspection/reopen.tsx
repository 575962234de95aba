import { useTranslation } from 'react-i18next';
import { inspection } from '../../../shared/families/inspection.ts';
import { useWrite } from '../../api/calls.ts';
import { ReasonForm } from '../../ui/reason-form.tsx';
import { changeOf } from '../../ui/signing/signing.tsx';

/** Takes the verdict back, with a reason that history keeps. */
export function Reopen({ id, passed, onClose }: { id: number; passed: boolean; onClose: () => void }) {
  const { t } = useTranslation('inspection');
  const { mutateAsync } = useWrite('inspections.update');
  return (
    <ReasonForm
      title={t('reopen')}
      label={t('reason')}
      description={t('reason.hint')}
      kind="verdict"
      onClose={onClose}
      signs={changeOf(inspection, { passed }, { passed: null })}
      onSubmit={(reason, signature) =>
        mutateAsync({ params: { id }, body: { passed: null, reason, ...signature } })
      }
    />
  );
}
