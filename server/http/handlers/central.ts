import { AppError } from '../../../shared/contract/errors.ts';
import { codeRequestSchema, enrolmentRequestSchema } from '../../../shared/operations/sync-operations.ts';
import type { Enrolment } from '../../enrolment/enrolment.ts';
import type { Stations } from '../../enrolment/stations.ts';
import { API_PREFIX, success } from '../reply.ts';
import { idIn } from '../request-context.ts';
import type { Handler } from './handler.ts';
import { parseBody, refuseInput } from './parse-body.ts';

export interface CentralHandlersOptions {
  stations: Stations;
  enrolment: Enrolment;
  isCentral: boolean;
}

/** Stations and their enrolment, at central. Writes wait in the gate's queue, so that no other's failure undoes them. */
export function centralHandlers({
  stations,
  enrolment,
  isCentral,
}: CentralHandlersOptions): Record<string, Handler> {
  const requireCentral = () => {
    if (isCentral) return;
    const message = 'This installation is a station. Stations enrol at a central (npm run central).';
    throw new AppError('conflict', message);
  };
  return {
    'x.enrolment-codes.create': async ({ store }, context) => {
      const request = parseBody(codeRequestSchema, context.body);
      requireCentral();
      const code = await store.gate.together(async () =>
        enrolment.createCode({ ...request, by: context.user }),
      );
      return success(code, { status: 201, headers: { Location: `${API_PREFIX}/x/enrolment-codes` } });
    },

    'x.enrolment-codes.list': () => success(enrolment.listCodes()),

    'x.enrolment-codes.revoke': async ({ store }, context) => {
      const id = idIn(context);
      refuseInput(context.body);
      await store.gate.together(async () => enrolment.revokeCode(id));
      return success(enrolment.getCode(id));
    },

    'x.enrolment.create': async ({ store }, context) => {
      const request = parseBody(enrolmentRequestSchema, context.body);
      requireCentral();
      enrolment.check(request, context.request.socket.remoteAddress ?? '');
      const answer = await store.gate.together(async () => enrolment.enrol(request));
      return success(answer, { status: 201, headers: { Location: `${API_PREFIX}/x/stations` } });
    },

    'x.stations.list': () => success(stations.list()),

    'x.stations.revoke': async ({ store }, context) => {
      const id = idIn(context);
      refuseInput(context.body);
      await store.gate.together(async () => stations.revoke(id));
      return success(stations.get(id));
    },

    'x.stations.block': async ({ store }, context) => {
      const { stationId } = context;
      refuseInput(context.body);
      if (stationId === undefined) throw new AppError('forbidden', 'This needs the key of a station.');
      const given = await store.gate.together(async () => stations.takeBlock(stationId));
      return success(given, { status: 201, headers: { Location: `${API_PREFIX}/x/stations` } });
    },
  };
}
