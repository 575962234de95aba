import type { Collection, Family } from '../../../shared/contract/define-family.ts';
import { familyOfKey } from '../../../shared/families/registry.ts';
import type { Entry } from '../../store/changes.ts';
import type { Rules } from '../protocol/decide.ts';
import { formFault } from './form.ts';

/** What the families say to sync: which values are verdicts, and what a commit must look like. */
export const syncRules: Rules = {
  isVerdict(subject, path) {
    let described: Family | Collection | undefined = familyOfKey(subject);
    if (!path.includes('.')) return described?.fields[path]?.isVerdict === true;
    const parts = path.split('.');
    // name.id.name.id.name: every other part is the id of an item.
    for (let index = 0; described && index < parts.length - 1; index += 2) {
      described = described.collections[parts[index] ?? ''];
    }
    return parts.length % 2 === 1 && described?.fields[parts.at(-1) ?? '']?.isVerdict === true;
  },
  schemaFault: ({ subject, changes }: Entry) => {
    const fields = familyOfKey(subject)?.fields ?? {};
    // A field's own name is a path, and asking the pattern takes several times as long.
    const odd = changes.find(
      ({ path }) => !Object.hasOwn(fields, path) && (!PATH.test(path) || namesPrototype(path)),
    );
    return odd && `${odd.path} is no path of a record.`;
  },
  formFault,
  isForCentral: subject => familyOfKey(subject)?.writer === 'central',
};

function namesPrototype(path: string): boolean {
  return path.includes('.')
    ? path.split('.').some(part => part in Object.prototype)
    : path in Object.prototype;
}

/** Names of fields and ids of items by turns; a family of a newer version may have names that this one does not know. */
const PATH = /^[a-z]\w*(?:\.\d+(?:\.[a-z]\w*)?)*$/;
