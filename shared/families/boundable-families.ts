import { type FamilyName, families } from './registry.ts';

/** The families that a token can be bounded to: those that are not of the administration, and not of the machine. */
export function boundableFamilies(): FamilyName[] {
  return Object.values(families).flatMap(({ name, operations, isByMachine }) =>
    operations.isAdministrative || isByMachine ? [] : (name as FamilyName),
  );
}
