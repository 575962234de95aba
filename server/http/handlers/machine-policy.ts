import type { MachinePolicyAnswer } from '../../../shared/operations/machine-policy-operations.ts';
import { success } from '../reply.ts';
import type { Handlers } from './handler.ts';

/** The machine's policy, without its code. It is set outside of the program: no operation writes it. */
export function machinePolicyHandlers(read: () => MachinePolicyAnswer) {
  return { 'x.machine-policy.read': () => success(read()) } satisfies Partial<Handlers>;
}
