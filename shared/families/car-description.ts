/** What a request takes over from the report that raised it, as members of its `description`, and what people call each. */
export const CAR_MEMBERS = {
  text: 'Description',
  part: 'Part',
  lot_number: 'Lot number',
  immediate_action: 'Immediate action',
} as const satisfies Record<string, string>;

/** What people call a member of a description; of one that a person named, its own name. */
export function memberLabel(name: string): string {
  return Object.hasOwn(CAR_MEMBERS, name) ? CAR_MEMBERS[name as keyof typeof CAR_MEMBERS] : name;
}
