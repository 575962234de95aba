import { type Field, text } from '../contract/fields.ts';

/** A contact person's four fields, as suppliers and customers have them twice. */
export function contact(prefix: 'primary' | 'secondary') {
  const who = prefix === 'primary' ? 'Primary contact' : 'Secondary contact';
  return {
    [`${prefix}_name`]: text({ label: `${who}: name` }),
    [`${prefix}_email`]: text({ label: `${who}: e-mail` }),
    [`${prefix}_phone`]: text({ label: `${who}: telephone` }),
    [`${prefix}_position`]: text({ label: `${who}: position` }),
  } as Record<`${typeof prefix}_${'name' | 'email' | 'phone' | 'position'}`, Field<string>>;
}
