import type { Values } from './form-values.ts';
import type { RecordFormProps } from './record-form.tsx';
import { type Signing, SigningField } from './signing.tsx';

/** The signature in the form of a record: its control, where the values ask for one, and the errors that it takes. */
export function signingExtra(
  signing: Signing,
  isAsked: (values: Values) => boolean = () => true,
): NonNullable<RecordFormProps['extra']> {
  const names = ['esignature_password', 'esignature_reason'];
  return {
    names,
    show: (errors, values) => {
      const said = names.flatMap(name => errors[name] ?? []).join(' ');
      return isAsked(values) && <SigningField signing={signing} error={said || undefined} />;
    },
  };
}
