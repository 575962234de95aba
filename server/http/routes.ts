import type { Express, NextFunction, Request, Response } from 'express';
import { CHANGE_CURSOR } from '../../shared/contract/change-place.ts';
import type { ZoneOf } from '../../shared/contract/dates.ts';
import { deprecationHeaders } from '../../shared/contract/deprecation.ts';
import { AppError } from '../../shared/contract/errors.ts';
import { MESSAGE_DEPTH } from '../../shared/contract/limits.ts';
import type { Operation } from '../../shared/contract/operation.ts';
import { rightsOfScopes } from '../../shared/contract/permission.ts';
import { lowestRole, mayCall } from '../../shared/contract/roles.ts';
import { listOperations } from '../../shared/operations/operations.ts';
import { isWithinReach, reachOf } from '../../shared/operations/token-reach.ts';
import { siteSettings } from '../rules/site.ts';
import {
  type Identity,
  identityOf,
  isSession,
  isStation,
  optionalIdentityOf,
  rightsOf,
} from './authenticate.ts';
import { inContractOrder } from './contract-order.ts';
import { auditHandlers } from './handlers/audit.ts';
import { bulkHandlers } from './handlers/bulk.ts';
import { changeHandlers, feedOf } from './handlers/changes.ts';
import { correctionHandlers } from './handlers/corrections.ts';
import { documentedHandlers } from './handlers/documented.ts';
import { draftHandlers } from './handlers/drafts.ts';
import { extensionHandlers } from './handlers/extensions.ts';
import { create, list, read, update } from './handlers/family.ts';
import type { Handler, Handlers, Services } from './handlers/handler.ts';
import { addItem, updateItem } from './handlers/items.ts';
import { listViewHandlers } from './handlers/list-views.ts';
import { openScanHandlers } from './handlers/open-scans.ts';
import { placeHandlers } from './handlers/places.ts';
import { settingsHandlers } from './handlers/settings.ts';
import { stockHandlers } from './handlers/stock.ts';
import { refuseAtStation } from './handlers/users.ts';
import { type JsonBodyOptions, readJson } from './json-body.ts';
import { REQUEST_TIME_LIMIT_MS } from './listen.ts';
import { OpenBodies } from './open-bodies.ts';
import { sendPacked } from './packed.ts';
import { API_PREFIX, bodyText } from './reply.ts';
import { Query, type Reply, type RequestContext } from './request-context.ts';
import { RouteTable } from './route-table.ts';
import { sendTagged } from './send-tagged.ts';
import { handlingOf, refuseUnknownQuery } from './strictness.ts';
import { Traffic } from './traffic.ts';
import type { SerializedResponse } from './write.ts';

/** In each such time a station's message must get on. Only who has a station's key comes to this. */
const STATION_WINDOW_MS = 120_000;
/** Characters: more than a station pushes at once, with what stands around it. Swept twice, each push would cost more in all. */
const STATION_PART = 1_280 * 1024;

interface Route {
  operation: Operation;
  handler: Handler;
}

/** What all requests share. */
interface Shared {
  bodies: OpenBodies;
  traffic: Traffic;
  zone: ZoneOf;
}

const byKind = { list, create, read, update, 'add-item': addItem, 'update-item': updateItem } as const;

/** The handlers that need no more of an installation than `Services`. */
function ownHandlers() {
  return {
    ...documentedHandlers,
    ...extensionHandlers,
    ...settingsHandlers,
    ...auditHandlers,
    ...bulkHandlers,
    ...draftHandlers,
    ...listViewHandlers,
    ...openScanHandlers,
    ...placeHandlers,
    ...stockHandlers,
    ...correctionHandlers,
    ...changeHandlers(),
  };
}

/** Those that need more; all that are left of the table. */
export type FurtherHandlers = Omit<Handlers, keyof ReturnType<typeof ownHandlers>>;

/**
 * Serves every operation of the table below `/api/v2`, and nothing else. An operation without a handler stops the start:
 * the documentation must not promise what is not there.
 */
export function mountOperations(app: Express, services: Services, further: FurtherHandlers): void {
  const handlers: Handlers = { ...ownHandlers(), ...further };
  // Each is called for its own operation only.
  const byId = handlers as Partial<Record<string, Handler>>;
  const table = new RouteTable<Route>();
  for (const operation of listOperations()) {
    const usual = operation.kind === 'custom' ? undefined : byKind[operation.kind];
    const handler = byId[operation.id] ?? usual;
    if (!handler) throw new Error(`The operation ${operation.id} has no handler.`);
    table.add(operation, { operation, handler });
  }
  const shared: Shared = {
    bodies: new OpenBodies(),
    traffic: new Traffic(),
    zone: () => siteSettings(services.store.records).time_zone,
  };
  app.use(API_PREFIX, (request, response, next) => {
    shared.traffic.note();
    void serve(table, shared, services, request, response, next);
  });
}

async function serve(
  table: RouteTable<Route>,
  { bodies, traffic, zone }: Shared,
  services: Services,
  request: Request,
  response: Response,
  next: NextFunction,
): Promise<void> {
  if (request.path.endsWith('/')) return redirected(table, request, response) ? undefined : next();
  const found = table.match(request.path, request.method);
  if (!found) return next();
  if ('allow' in found) return next(notAllowed(request, found.allow));
  const { operation, handler } = found.route;
  response.locals.route = operation.path;
  try {
    checkScope(operation, response);
    if (operation.deprecation) response.set(deprecationHeaders(operation.deprecation));
    const bounds = checkReach(operation, found.parameters, response);
    const identity = optionalIdentityOf(response);
    const session = identity && isSession(identity) ? identity : undefined;
    if (operation.method !== 'GET' && operation.family?.writer === 'central') refuseAtStation(services);
    const query = new Query(request.url, operation);
    const isStrict = isStrictFor(services, request, operation, identity);
    if (isStrict) {
      response.setHeader('Preference-Applied', 'handling=strict');
      refuseUnknownQuery(query);
    }
    const stationId = identity && isStation(identity) ? identity.stationId : undefined;
    const before = stationId === undefined ? 0 : idleTime();
    const given =
      stationId === undefined || operation.body === null
        ? bodyOf(request, operation)
        : bodies.within(stationId, async () =>
            bodyOf(request, operation, work => bodies.inOrder(stationId, work)),
          );
    const context: RequestContext = {
      operation,
      parameters: found.parameters,
      query,
      body: given && (await given),
      bodyMs: stationId === undefined ? 0 : idleTime() - before,
      traffic,
      isStrict,
      faults: {},
      user: identity?.name ?? '',
      userId: session?.userId,
      author: session?.author,
      userName: session && String(session.user.fields.name),
      roles: identity && !isStation(identity) ? identity.roles : undefined,
      families: bounds,
      rights: rightsOf(identity, services.isAtStation()),
      tokenId: identity?.tokenId ?? -1,
      stationId,
      zone,
      request,
      response,
    };
    const answered = handler(services, context);
    const reply = answered instanceof Promise ? await answered : answered;
    if (!reply) return;
    if (session && (operation.method !== 'GET' || operation.id === 'x.session.read')) {
      const feed = feedOf(services);
      response.setHeader(CHANGE_CURSOR, feed.cursorOf(feed.end()));
    }
    const body = isText(reply) ? reply.body : bodyText(reply, context.query.ignored);
    if (operation.scope === 'station') return sendPacked(response, reply, body);
    const sent = sendTagged(response, reply, body, operation.method === 'GET');
    if (sent) await sent;
  } catch (error) {
    next(inContractOrder(error, operation));
  }
}

/** As the client says; of programs that say nothing, of what extends the document, as the site says. */
function isStrictFor(
  { store }: Services,
  request: Request,
  operation: Operation,
  identity: Identity | undefined,
): boolean {
  const said = handlingOf(request);
  if (said !== undefined) return said === 'strict';
  const isProgram = identity !== undefined && !isSession(identity) && !isStation(identity);
  return isProgram && operation.path.startsWith('/x/') && siteSettings(store.records).is_strict;
}

/** Operations that are no GET and only read, as `createAuthenticate` takes them. */
export function readingCalls(): string[] {
  return listOperations().flatMap(({ method, path, scope }) =>
    scope === 'read' && method !== 'GET' ? `${method} ${API_PREFIX}${path}` : [],
  );
}

/** Sends who put a slash at the end of a path to the path: the same request there is what was meant. */
function redirected(table: RouteTable<Route>, request: Request, response: Response): boolean {
  const { path } = request;
  if (/^\/?$|\/\/$/.test(path) || !table.match(path.slice(0, -1), request.method)) return false;
  const query = request.url.slice(path.length);
  response.writeHead(308, { Location: `${API_PREFIX}${path.slice(0, -1)}${query}`, 'Content-Length': 0 });
  response.end();
  return true;
}

/** Milliseconds in which this process had nothing to do: the time that it was busy says nothing of how a body came. */
function idleTime(): number {
  return performance.eventLoopUtilization().idle;
}

function isText(reply: Reply | SerializedResponse): reply is SerializedResponse {
  return typeof reply.body === 'string';
}

/** A body of another type than JSON (an uploaded file) is for the handler to read as a stream. */
function bodyOf(
  request: Request,
  { body, scope }: Operation,
  inOrder?: JsonBodyOptions['inOrder'],
): Promise<unknown> | undefined {
  if (body?.type !== 'application/json') return undefined;
  return readJson(request, {
    limit: body.limit,
    optional: body.isOptional,
    mayBePacked: true,
    isPatch: request.method === 'PATCH',
    // What machines send each other holds whole records, and comes over lines that are slow, or stand still for a while.
    ...(scope === 'station' && {
      depth: MESSAGE_DEPTH,
      part: STATION_PART,
      timeLimit: REQUEST_TIME_LIMIT_MS,
      window: STATION_WINDOW_MS,
    }),
    ...(inOrder && { inOrder }),
  });
}

const DESCRIPTION = 'openapi.read';

function checkScope(operation: Operation, response: Response): void {
  const { scope, id } = operation;
  // Where nobody is known, the path was open.
  if (scope === 'none' || (id === DESCRIPTION && optionalIdentityOf(response) === undefined)) return;
  const identity = identityOf(response);
  if (isSession(identity)) {
    checkRole(operation, identity.roles);
    return;
  }
  const scopes: readonly string[] = identity.scopes;
  const limit = isStation(identity) ? undefined : identity.roles;
  const hasScope = scopes.includes(scope);
  // What a family lets integrations write, the write gate judges.
  if (hasScope && (isStation(identity) || operation.family?.may.isOpenToIntegrations === true)) return;
  const roles = limit ?? rightsOfScopes(scopes).roles;
  if (hasScope && mayCall(roles, operation)) return;
  if (scope === 'station') throw new AppError('forbidden', 'This needs the key of a station.');
  if (limit !== undefined) throw new AppError('forbidden', tokenLimit(limit));
  if (hasScope)
    throw new AppError('forbidden', `${needsRole(operation)} Your token counts as ${roles.join()}.`);
  throw new AppError(
    'forbidden',
    `This needs a token with the scope ${scope}. Yours has ${scopes.join(', ')}.`,
  );
}

/** The families that the caller's token is bounded to. @throws AppError 403 for what reaches others */
function checkReach(
  operation: Operation,
  parameters: Readonly<Record<string, string>>,
  response: Response,
): ReadonlySet<string> | undefined {
  const identity = optionalIdentityOf(response);
  const bounds = identity && 'families' in identity ? identity.families : undefined;
  if (!bounds || operation.scope === 'none') return bounds;
  const reach = reachOf(operation, parameters);
  if (isWithinReach(reach, bounds)) return bounds;
  const what = typeof reach === 'string' ? 'this reaches others' : `this is about ${reach.join(' and ')}`;
  throw new AppError('forbidden', `Your token reaches ${[...bounds].join(', ')} only, and ${what}.`);
}

function needsRole(operation: Operation): string {
  return `This needs the role ${lowestRole(operation)}.`;
}

function tokenLimit(roles: readonly string[]): string {
  return `At a station of a central a token counts as ${roles.join(' and ')} at most, and this needs more. Sign in as a user, or use holdpoint on this machine.`;
}

function checkRole(operation: Operation, roles: readonly string[]): void {
  if (mayCall(roles, operation)) return;
  const lowest = lowestRole(operation);
  if (lowest === null) throw new AppError('forbidden', 'This needs the key of a station.');
  const own = roles.length === 0 ? 'none' : roles.join(', ');
  throw new AppError('forbidden', `${needsRole(operation)} Yours: ${own}. Ask an administrator.`);
}

function notAllowed(request: Request, allow: readonly string[]): AppError {
  const why = request.method === 'DELETE' ? ' Records are never deleted.' : '';
  const message = `${request.method} is not possible here. Possible: ${allow.join(', ')}.${why}`;
  return new AppError('method_not_allowed', message, { headers: { Allow: allow.join(', ') } });
}
