import type { Health } from '../../../shared/operations/health-operations.ts';
import type { Metrics } from '../../metrics/metrics.ts';
import { success } from '../reply.ts';
import type { Handlers } from './handler.ts';

export interface HealthHandlersOptions {
  /** @throws AppError `unavailable` where requests are not answered */
  health: () => Health;
  metrics: () => ReturnType<Metrics['read']>;
}

/** How this process stands, for balancers and monitors. */
export function healthHandlers({ health, metrics }: HealthHandlersOptions) {
  return {
    'x.health.read': () => success(health()),

    'x.metrics.read': async (_services, { response }) => {
      const { text, type } = await metrics();
      response.statusCode = 200;
      response.setHeader('Content-Type', type);
      response.end(text);
      return undefined;
    },
  } satisfies Partial<Handlers>;
}
