import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Family } from '../shared/contract/define-family.ts';
import { DIRECTIONS, type FieldRule } from '../shared/contract/may.ts';
import { fieldAt, rightsOfScopes } from '../shared/contract/permission.ts';
import { lowestRole } from '../shared/contract/roles.ts';
import { families } from '../shared/families/registry.ts';
import { SIGNATURE_ACTS, type SignatureAct } from '../shared/families/signature-acts.ts';
import { ACT_KINDS, type ActKind, type Preset, presetOf } from '../shared/families/signature-policy.ts';
import { listOperations } from '../shared/operations/operations.ts';

/** Writes `docs/permissions.md` from the contract; a test says when it is to be written anew. */
const FILE = join(import.meta.dirname, '../docs/permissions.md');

if (process.argv[1] === import.meta.filename) await writeFile(FILE, permissionsText());

export function permissionsText(): string {
  const all = Object.values<Family>(families);
  return `# Who may write what

Written by \`node build/permissions.ts\` from the families' \`may\` (${'`shared/families`'}) and the operations' roles. It holds by every
door: documented operations, \`/x/\`, items in records, bulk, import, decisions on conflicts, and what stations send, which central
holds where its author may not write it. Each role includes those before it: viewer, operator, inspector, quality, administrator.

A token with the scope \`read\` is a viewer, one with \`write\` ${rightsOfScopes(['write']).roles.join()}, one with \`admin\` an
administrator; at a station of a central no token is more than an inspector. Where a table says "open", an integration that may
write may create and change such records too, but for what names a role.

## Families

| Records | Create | Change | Integrations |
|---|---|---|---|
${all.map(familyRow).join('\n')}

## Values that need more

"Reason": a person gives one, else 422. What an integration changes without one, and what is imported, is taken and kept as a
correction. "Frees": such a correction, and one by somebody below the accepting role, locks its lots until a person of quality
accepts it.

| Records | Value | When | Role | Reason | Frees | Accepted by | Another person |
|---|---|---|---|---|---|---|---|
${all.flatMap(ruleRows).join('\n')}

## What is signed

Acts, by kind ([shared/families/signature-acts.ts](../shared/families/signature-acts.ts)). Letting in a held change or deciding a
conflict that contains one is of the kind \`decision\` as well. \`*\`: any value. "Waits": what programs and imports bring of it is taken
without a signature, and frees no goods until a person of quality accepts it.

| Records | Value | When | Only while set | Kind | Waits |
|---|---|---|---|---|---|
${SIGNATURE_ACTS.map(actRow).join('\n')}

What each policy asks of a kind; the site may deviate from it kind by kind (\`esignature_deviations\`). "Second person": another than the
record's last author ([interface decisions, 5.16](interface/decisions.md)). What says what is signed is changed by a signature with a
reason as long as anything is signed.

| Kind | \`none\` | \`gxp\` |
|---|---|---|
${ACT_KINDS.map(kindRow).join('\n')}

## Operations of their own

| Operation | Method and path | Lowest role |
|---|---|---|
${ownOperations()}
`;
}

function actRow({ family, path, when, meaning, canWait, ...act }: SignatureAct): string {
  const condition = act.while === undefined ? '' : `\`${act.while}\``;
  return `| \`${family}\` | \`${path}\` | ${DIRECTIONS[when].words} | ${condition} | ${meaning} | ${canWait ? 'yes' : ''} |`;
}

function kindRow(kind: ActKind): string {
  return `| ${kind} | ${askedBy('none', kind)} | ${askedBy('gxp', kind)} |`;
}

function askedBy(preset: Preset, kind: ActKind): string {
  const policy = presetOf(preset, kind);
  if (!policy.is_signed) return '';
  return ['signature', policy.needs_reason && 'reason', policy.needs_second_person && 'second person']
    .filter(Boolean)
    .join(', ');
}

function familyRow({ plural, name, may, writer }: Family): string {
  const change = may.change ?? 'nobody';
  const where = writer === 'central' ? ' (in a fleet at central only)' : '';
  const open = may.isOpenToIntegrations ? 'open' : '';
  return `| ${plural} (\`${name}\`) | ${may.create ?? 'the server'}${where} | ${change} | ${open} |`;
}

function ruleRows(family: Family): string[] {
  return Object.entries(family.may.rules ?? {}).flatMap(([pattern, rules]) =>
    rules.map(rule => ruleRow(family, pattern, rule)),
  );
}

function ruleRow(family: Family, pattern: string, rule: FieldRule): string {
  const label = fieldAt(family, pattern)?.label ?? pattern;
  const yes = (is: true | undefined) => (is ? 'yes' : '');
  const cells = [
    family.title,
    `${label} (\`${pattern}\`)`,
    DIRECTIONS[rule.when].words,
    rule.role ?? '',
    yes(rule.needsReason),
    yes(rule.isFreeing),
    rule.acceptedBy ?? '',
    yes(rule.needsAnother),
  ];
  return `| ${cells.join(' | ')} |`;
}

function ownOperations(): string {
  return listOperations()
    .filter(({ kind, method, scope }) => kind === 'custom' && method !== 'GET' && scope !== 'none')
    .map(operation => {
      const { id, method, path } = operation;
      return `| \`${id}\` | ${method} \`${path}\` | ${lowestRole(operation) ?? 'a station'} |`;
    })
    .join('\n');
}
