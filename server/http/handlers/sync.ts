import { pageMeta } from '../../../shared/contract/envelope.ts';
import { AppError } from '../../../shared/contract/errors.ts';
import type { CentralRenewal } from '../../enrolment/renewal.ts';
import type { Stations } from '../../enrolment/stations.ts';
import type { Commit } from '../../store/changes.ts';
import { stationOf } from '../../store/history.ts';
import { InOrder } from '../../store/in-order.ts';
import { inTurns } from '../../store/yield-to-event-loop.ts';
import type { CentralSync } from '../../sync/central/central-sync.ts';
import { describeHeld, isAdministrative } from '../../sync/held-answer.ts';
import type { HoldReason } from '../../sync/protocol/decide.ts';
import { RELEASED, WITHDRAWN } from '../../sync/protocol/decide-in-log.ts';
import type { HeldCommit } from '../../sync/protocol/held-line.ts';
import { readRequest } from '../../sync/protocol/read-message.ts';
import { PROTOCOL, type Request } from '../../sync/protocol/wire.ts';
import { requestSchema } from '../../sync/protocol/wire-schemas.ts';
import type { SyncService } from '../../sync/sync-service.ts';
import { syncState } from '../../sync/sync-state.ts';
import { identityOf, isAdministrator, isStation } from '../authenticate.ts';
import { heldSignatures, signHeld } from '../held-signing.ts';
import { success } from '../reply.ts';
import { callerOf, type RequestContext } from '../request-context.ts';
import type { Handlers, Services } from './handler.ts';
import { bodyOf, parseBody } from './parse-body.ts';

export interface SyncHandlersOptions {
  service: SyncService;
  stations: Stations;
  renewal: CentralRenewal;
  /** The digest of the hashes of passwords that are the station's: one that has others asks for them. */
  secretsDigest: (stationId: number) => Promise<string>;
}

/** The exchange itself, how it stands, and what central holds. */
export function syncHandlers({ service, stations, renewal, secretsDigest }: SyncHandlersOptions) {
  const inOrder = new InOrder<number>();
  const requireCentral = (): CentralSync => {
    if (service.central) return service.central;
    if (service.role === 'central') {
      throw new AppError('unavailable', 'The store is damaged and can only be read. Restore a backup first.');
    }
    throw new AppError(
      'conflict',
      'This installation is no central. Held changes are decided there, and stations call there.',
    );
  };
  /** What is held: at central of all stations, at a station its own. */
  const heldHere = (own: string) =>
    service.central
      ? service.central.exchange.reader().heldCommits.all()
      : (service.station?.engine?.reader.held.heldOf(own) ?? []);
  const decideHeld =
    (decision: typeof RELEASED | typeof WITHDRAWN) =>
    async (
      { clock, store, readSignature }: Services,
      context: RequestContext<'x.held.release' | 'x.held.withdraw'>,
    ) => {
      const { reason, with_alike: withAlike } = bodyOf(context);
      const commit = context.parameters.commit_id ?? '';
      const held = heldHere(store.station).find(one => one.commit.commit_id === commit);
      if (held && isAdministrative(held.commit) && !isAdministrator(context.response)) {
        throw new AppError('forbidden', 'Held changes of users and settings are for administrators.');
      }
      if (held && decision === RELEASED) requireAnother(held, context);
      const at = clock().toISOString();
      const engine = service.station?.engine;
      if (engine && decision === WITHDRAWN) {
        await engine.withdraw({ commit, user: context.user, reason, at });
        return success({ commit_id: commit, outcome: decision, alike: 0, sequence: null });
      }
      const central = requireCentral();
      const about = { decision, user: context.user, reason, at };
      const bundle = held && withAlike ? alike(held, heldHere(store.station)) : [];
      const lettingIn = held && decision === RELEASED ? [held.commit, ...bundle] : [];
      const signed = await signHeld(store, readSignature, context, lettingIn);
      const ids = bundle.map(({ commit_id: id }) => id);
      // What followed one that was let in is decided by then; what has another fault stays held and says so.
      const { sequence, alike: others } = await central.decideHeld(
        { commit, alike: ids, ...about },
        signed && heldSignatures(context, signed, reason),
      );
      return success({ commit_id: commit, outcome: decision, alike: others, sequence });
    };
  return {
    'x.sync.exchange': async ({ clock, store }, context) => {
      const message = bodyOf(context);
      const { protocol, about } = message;
      if (protocol < PROTOCOL.oldest || protocol > PROTOCOL.newest) throw otherProtocol(protocol);
      // A small message does not overtake a large one that came before it.
      const request = await inOrder.run(stationIn(context), () =>
        inTurns(readRequest(context.body, body => parseBody(requestSchema, body))),
      );
      const central = requireCentral();
      const station = callingStation(context, request);
      const answer = await central.answer(station, request, about);
      const names = about?.names === undefined ? undefined : stations.names().since(about.names);
      const bodyMs = Math.round(context.bodyMs);
      await renewal.noteHeard(station, about?.certificates);
      const certificates = renewal.toldTo(about?.certificates);
      const time = clock().toISOString();
      const signature = renewal.signedTime(request.request, time);
      const beside = {
        secrets: await secretsDigest(station),
        // Nobody is to compare with a clock that is not believed itself.
        ...(store.clockWatch.standing() === null && { clock: time }),
        ...(signature !== undefined && { clock_signature: signature }),
        body_ms: bodyMs,
      };
      return success({
        ...answer,
        ...beside,
        ...(names && { names }),
        ...(certificates && { certificates }),
      });
    },

    'x.sync.pokes': ({ streams }, context) => {
      const central = requireCentral();
      const stream = streams.open(context.request, context.response, context.tokenId);
      const tell = () => stream.send({ event: 'news', data: {} });
      // Who has not read the last one needs no further.
      const stop = central.followNews(stationIn(context), () => {
        if (!stream.hasUnread) tell();
      });
      stream.onClose(stop);
      tell();
      return Promise.resolve(undefined);
    },

    'x.sync.read': ({ store, nameOf }) => success(syncState({ service, store, stations, nameOf })),

    'x.sync.comparison': async ({ trail }, context) => {
      if (service.station) {
        const compared = await service.station.compare();
        const details = {
          what: 'records against central',
          is_same: compared.is_same,
          sequence: compared.sequence,
        };
        await trail.note({ ...callerOf(context), kind: 'verified', details });
        return success(compared);
      }
      throw new AppError('not_found', 'This installation has no central to compare with. Ask at a station.');
    },

    'x.sync.digests': async (_services, context) => {
      const central = requireCentral();
      return success(await central.digests(context.query.get('family'), context.stationId));
    },

    'x.sync.history': (_services, context) => {
      const request = bodyOf(context);
      const central = requireCentral();
      return success(central.earlier(stationIn(context), request));
    },

    'x.held.list': ({ store, nameOf }, context) => {
      const held = heldHere(store.station);
      const { page, perPage } = context.query.page();
      const isGivenUp = (id: string) => service.station?.engine?.isGivenUp(id) ?? false;
      const data = held
        .slice((page - 1) * perPage, page * perPage)
        .map(one => describeHeld(one, nameOf, isGivenUp));
      return success(data, { meta: { ...pageMeta(page, perPage, held.length, data.length) } });
    },

    'x.held.release': decideHeld(RELEASED),
    'x.held.withdraw': decideHeld(WITHDRAWN),
  } satisfies Partial<Handlers>;
}

/** What needs another person's word is not let in by its own author. @throws AppError `forbidden` */
function requireAnother({ commit, reason }: HeldCommit, { user }: RequestContext): void {
  if (!OF_RIGHTS.some(code => reason.startsWith(code)) || commit.user !== user) return;
  throw new AppError('forbidden', 'Nobody lets in what they wrote without the right to. Ask somebody else.');
}

/** The other held changes of the same person at the same station that are decided with this one, oldest first. */
function alike(held: HeldCommit, all: readonly HeldCommit[]): Commit[] {
  const { commit, reason } = held;
  const together = TOGETHER.find(code => reason.startsWith(code));
  if (together === undefined) return [];
  return all.flatMap(({ commit: other, reason: why }) => {
    const isOther = other.commit_id !== commit.commit_id && other.user === commit.user;
    return isOther && why.startsWith(together) && stationOf(other.chain) === stationOf(commit.chain)
      ? [other]
      : [];
  });
}

/** Why changes are held that another person than their author lets in. */
const OF_RIGHTS: readonly HoldReason[] = ['not_permitted', 'right_lost'];
/** Why changes of one person at one station are decided together. */
const TOGETHER: readonly HoldReason[] = ['right_lost', 'not_signed'];

/** @throws AppError `forbidden` when the message names another station than its key is of */
function callingStation(context: RequestContext, request: Request): number {
  const id = stationIn(context);
  const identity = identityOf(context.response);
  if (!isStation(identity) || identity.station !== request.station) {
    throw new AppError('forbidden', 'The message is of another station than the key.');
  }
  return id;
}

/** @throws AppError `forbidden` where it is not called by the key of a station */
function stationIn({ stationId }: RequestContext): number {
  if (stationId === undefined) throw new AppError('forbidden', 'This needs the key of a station.');
  return stationId;
}

function otherProtocol(protocol: number): AppError {
  const which = protocol > PROTOCOL.newest ? 'central' : 'the station';
  const message = `The station speaks version ${protocol} of the sync protocol, central ${PROTOCOL.oldest} to ${PROTOCOL.newest}. Update ${which}.`;
  return new AppError('upgrade_required', message);
}
