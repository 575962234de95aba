import type { Health } from '../../../shared/operations/health-operations.ts';
import { success } from '../reply.ts';
import type { Handlers } from './handler.ts';

/** @param health throws `unavailable` where requests are not answered */
export function healthHandlers(health: () => Health) {
  return { 'x.health.read': () => success(health()) } satisfies Partial<Handlers>;
}
