import type { Family } from '../../shared/contract/define-family.ts';
import { readInput } from '../../shared/contract/parse-input.ts';
import type { SignedChange } from '../../shared/families/signatures-due.ts';
import { type Signer, SigningField } from '../ui/signing/signing.tsx';
import { changedValues, changesOf, type Values, withoutEmpty } from './form-values.ts';
import type { RecordFormProps } from './record-form.tsx';

/** The signature in the form of a record: what is signed of it and its control, and the errors that it takes. */
export function signingExtra(
  signer: Signer,
  changeOf: (values: Values) => SignedChange,
): NonNullable<RecordFormProps['extra']> {
  return {
    // What is said of the reason stands at the reason.
    names: ['esignature_password', 'esignature_reason'],
    show: (errors, values) => (
      <SigningField signing={signer.of(changeOf(values))} error={errors.esignature_password?.join(' ')} />
    ),
    needsReason: values => signer.of(changeOf(values)).needsReason,
  };
}

/** What the values of a form change of a record; `before` undefined: they make one. */
export function signedChange(family: Family, before: Values | undefined, values: Values): SignedChange {
  const body = before ? changesOf(family, before, values) : withoutEmpty(values);
  const input = readInput(family, body, { mode: 'patch', passes: Object.keys(body) }, {});
  return {
    family,
    changes: changedValues(before ?? {}, input),
    before,
    after: { ...before, ...input.fields },
  };
}
