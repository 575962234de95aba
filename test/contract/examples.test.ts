import { afterAll, beforeAll, expect, it } from 'vitest';
import { openApiDocument } from '../../server/http/openapi/openapi.ts';
import type { OpenApiParameter } from '../../server/http/openapi/openapi-document.ts';
import type { Operation } from '../../shared/contract/operation.ts';
import { transferOrder } from '../../shared/families/transfer-order.ts';
import { listOperations } from '../../shared/operations/operations.ts';
import { JOURNAL_RUN } from '../support/journal-run.ts';
import { Station } from '../support/station.ts';

/** Every example of the document as it stands there, sent to a fresh installation: what is copied from the documentation works. */

/** What no program can do first, with the reason. */
const NOT_FIRST: Record<string, readonly string[]> = {
  'a person': [
    'x.audit.review',
    'x.corrections.accept',
    ...['issue', 'read', 'paper', 'withdraw'].map(each => `x.certificates.${each}`),
    ...['unlock', 'resume', 'hand', 'lock', 'end'].map(each => `x.session.${each}`),
    ...['list', 'end', 'end-others'].map(each => `x.sessions.${each}`),
    'x.users.sessions.end',
  ],
  'goods that were counted once more': ['x.stock-counts.post'],
  'an installation without users': ['x.first-administrator.create', 'x.first-administrator.link'],
  'an installation without records': ['x.sample-company.create'],
  'a report, an import, a clock that stepped, a scan that is open': [
    'x.validation.read',
    'x.validation.paper',
    ...['file', 'run', 'cancel', 'read'].map(each => `x.imports.${each}`),
    'x.clock.confirm',
    'x.open-scans.update',
  ],
  'a central, or a station of one': [
    'x.enrolment.create',
    'x.stations.revoke',
    'x.stations.choose',
    ...['people', 'assign', 'unassign', 'group'].map(each => `x.stations.${each}`),
    'x.station-backups.list',
    'x.station-backups.read',
    'x.sync.enrol',
    'x.sync.comparison',
    ...['renew', 'chain'].map(each => `x.central-certificate.${each}`),
    'x.conflicts.resolve',
    'x.held.release',
    'x.held.withdraw',
    'x.carry.out',
    'x.carry.in',
    'x.former-keys.claim',
    'x.authority.certify',
    'x.moved.read',
  ],
};

/** What a central does, whichever calls. */
const AT_CENTRAL = ['x.enrolment-codes.create', 'x.enrolment-codes.revoke', 'x.central-certificate.read'];

const station = new Station({ isHere: true });
beforeAll(() => station.start());
afterAll(() => station.stop());

/** Records after those that they refer to, then their items, then everything else in the order of the document. */
function inOrder(): Operation[] {
  const families = transferOrder();
  const place = ({ kind, family }: Operation) => {
    if (kind === 'create' && family && families.includes(family)) return families.indexOf(family);
    return kind === 'add-item' ? 1_000 : 2_000;
  };
  return listOperations()
    .filter(({ scope }) => scope !== 'station')
    .sort((one, other) => place(one) - place(other));
}

it('every example that a program can send first is done', async () => {
  const { paths } = openApiDocument();
  const atStation = JOURNAL_RUN === undefined ? AT_CENTRAL : [];
  const known = new Set([...Object.values(NOT_FIRST).flat(), ...atStation]);
  const refused = new Map<string, string>();
  for (const operation of inOrder()) {
    const described = paths[operation.path]?.[operation.method.toLowerCase() as 'get'];
    const parameters = (described?.parameters ?? []).filter((each): each is OpenApiParameter => 'in' in each);
    const exampleOf = (name: string) => {
      const { example, schema } = parameters.find(each => each.name === name) ?? {};
      return String(example ?? schema?.examples?.[0]);
    };
    const path = operation.path.replace(/\{(\w+)\}/g, (_match, name: string) => exampleOf(name));
    const asked = parameters.filter(each => each.in === 'query' && (each.required || each.schema.examples));
    const search = new URLSearchParams(asked.map(({ name }) => [name, exampleOf(name)])).toString();
    const [type, media] = Object.entries(described?.requestBody?.content ?? {})[0] ?? [];
    const { example } = media ?? {};
    const response = await fetch(`${station.origin}/api/v2${path}${search && `?${search}`}`, {
      method: operation.method,
      headers: { Authorization: `Bearer ${station.token}`, ...(type && { 'Content-Type': type }) },
      ...(example !== undefined && { body: typeof example === 'string' ? example : JSON.stringify(example) }),
    });
    if (operation.answerType === 'text/event-stream') await response.body?.cancel();
    else if (response.ok) await response.arrayBuffer();
    else refused.set(operation.id, await response.text());
    expect(response.status, operation.id).toBeLessThan(500);
  }
  expect([...refused].filter(([id]) => !known.has(id))).toEqual([]);
  // What is done all the same need not stand in the list.
  expect([...known].filter(id => !refused.has(id))).toEqual([]);
  const documented = listOperations().filter(({ section, id }) => section !== null && !refused.has(id));
  expect(documented).toHaveLength(57);
});
