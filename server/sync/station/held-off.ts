import { AppError } from '../../../shared/contract/errors.ts';
import type { Doubled, HeldOffAnswer } from '../protocol/proof.ts';

/** Another machine has this station's disk: central takes nothing from this one until a person has decided. */
export class HeldOff extends AppError {
  readonly doubled: Doubled;

  constructor({ machine, noticed_at, is_decided }: HeldOffAnswer) {
    super('conflict', messageOf(machine, is_decided));
    this.name = 'HeldOff';
    this.doubled = { machine, noticed_at, is_decided };
  }
}

function messageOf(machine: string, isDecided: boolean): string {
  const two = `There are two machines with this station's data, and central goes on with the other one; it calls this one ${machine}.`;
  const remedy = isDecided
    ? 'Make this one a station of its own: a new code from central, and here "holdpoint enrol ADDRESS CODE --separate".'
    : 'An administrator at central says which one goes on: at Stations, or by "holdpoint station choose".';
  return `${two} Nothing that was recorded here is lost. ${remedy}`;
}
