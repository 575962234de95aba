import { canonicalJson, sameJson } from '../../shared/contract/canonical-json.ts';
import { AppError } from '../../shared/contract/errors.ts';
import { parseStrictJson } from '../../shared/contract/strict-json.ts';
import { familyOf } from '../../shared/families/registry.ts';
import {
  type PackagedCommit,
  type RecallPackage,
  recallPackageSchema,
} from '../../shared/operations/recall-package.ts';
import { fingerprintOfKey, isSignedBy } from '../keys/ed25519.ts';
import { applyChanges, type Fields } from '../store/changes.ts';
import { hashOfCommit } from '../store/history.ts';
import { stateOf } from '../store/unit-of-work.ts';
import { type Finding, Findings } from '../store/verify/findings.ts';
import { familyIn } from './around-lot.ts';
import { sha256Of } from './recall-package.ts';

export interface PackageReport {
  subject: string;
  title: string;
  station: string;
  made_at: string;
  made_by: string;
  package_sha256: string;
  records: number;
  commits: number;
  findings: Finding[];
  faults: number;
  /** What could not be proven from the package alone, in words. */
  notes: string[];
}

const REMEDY = 'Do not rely on this file. Have the station make the package anew and compare the two.';

/**
 * Checks a recall package by itself, without a database: the hashes of the package and of its sections, of every commit
 * and of the links between neighbours of a chain, and that every record is the fold of its history. Whoever can write
 * the whole file can write its hashes too: what they prove against is the package hash and the hashes of commits as
 * another copy or the station itself has them.
 * @param text the file
 * @throws AppError `malformed` where the text is no recall package
 */
export function verifyPackage(text: string): PackageReport {
  const found = parsedPackage(text);
  const findings = new Findings();
  const { package_sha256: packageHash, ...unsealed } = found;
  if (sha256Of(unsealed) !== packageHash) {
    findings.add('The package is not what its hash says.', 'package_sha256', REMEDY);
  }
  for (const name of ['trace', 'records', 'history'] as const) {
    const { sha256, count, content } = found[name];
    if (sha256Of(content) !== sha256)
      findings.add('A section is not what its hash says.', `section ${name}`, REMEDY);
    const entries = Array.isArray(content) ? content.length : 1;
    if (entries !== count) {
      findings.add(`A section has ${entries} entries and says ${count}.`, `section ${name}`, REMEDY);
    }
  }
  verifyCommits(found.history.content, findings);
  const notes = [...verifySigned(found, findings), ...verifyRecords(found, findings)];
  const keys = new Set(found.records.content.map(({ key }) => key));
  for (const { id } of found.trace.content.lots) {
    if (!keys.has(`inventory:${id}`)) {
      findings.add('The summary names a lot whose record is not there.', `inventory:${id}`, REMEDY);
    }
  }
  return {
    subject: found.subject,
    title: found.title,
    station: found.station,
    made_at: found.made_at,
    made_by: found.made_by,
    package_sha256: packageHash,
    records: found.records.content.length,
    commits: found.history.content.length,
    findings: findings.first,
    faults: findings.count,
    notes: [...found.left_out, ...notes],
  };
}

function parsedPackage(text: string): RecallPackage {
  const parsed = parseStrictJson(text);
  const result = recallPackageSchema.safeParse(parsed);
  // Parsing drops what the schema does not know, and the hashes cover it: the file's own value is checked.
  if (result.success) return parsed as RecallPackage;
  const [issue] = result.error.issues;
  const where = issue?.path.join('.') || 'the whole';
  throw new AppError(
    'malformed',
    `The file is no recall package: ${where}: ${issue?.message}. Give the file as the station made it.`,
  );
}

/** Says who signed. */
function verifySigned(
  { package_sha256: _, signed, ...content }: RecallPackage,
  findings: Findings,
): string[] {
  if (!signed)
    return ['The package is not signed: it is of a version that signed none, or somebody took it off.'];
  const { signature, ...said } = signed;
  const isIts = said.installation === content.station && said.sha256 === sha256Of(content);
  if (!isIts || !isSignedBy(said.key, canonicalJson(said), signature))
    findings.add('The package is not what the key in it has signed.', 'signed', REMEDY);
  return [`Signed by installation ${said.installation}, key SHA-256 ${fingerprintOfKey(said.key)}.`];
}

function verifyCommits(commits: readonly PackagedCommit[], findings: Findings): void {
  const byPlace = new Map(commits.map(commit => [`${commit.chain} ${commit.number}`, commit]));
  for (const commit of commits) {
    const { hash, ...rest } = commit;
    const where = `commit ${commit.number} of chain ${commit.chain}`;
    if (hashOfCommit(rest as unknown as Parameters<typeof hashOfCommit>[0]) !== hash) {
      findings.add('A commit is not what its hash says.', where, REMEDY);
    }
    const previous =
      byPlace.get(`${commit.chain} ${commit.number - 1}`)?.hash ?? (commit.number === 1 ? '' : undefined);
    if (previous !== undefined && previous !== commit.previous_hash) {
      findings.add('A commit does not follow on the one before it.', where, REMEDY);
    }
  }
}

/** Says what it could not prove. */
function verifyRecords(found: RecallPackage, findings: Findings): string[] {
  const notes: string[] = [];
  const histories = new Map<
    string,
    { commit: PackagedCommit; changes: { path: string; new?: unknown }[] }[]
  >();
  for (const commit of found.history.content) {
    for (const { subject, changes } of commit.entries) {
      const history = histories.get(subject) ?? [];
      histories.set(subject, history);
      history.push({ commit, changes });
    }
  }
  for (const record of found.records.content) {
    const wrong = (what: string) => findings.add(what, `record ${record.key}`, REMEDY);
    if (stateOf(record.fields) !== record.state) wrong('A record is not what its hash says.');
    const family = familyOf(familyIn(record.key));
    const history = histories.get(record.key) ?? [];
    const isCut = found.left_out.some(text => text.includes(`${record.key}:`));
    if (history.length === 0) {
      if (isCut) notes.push(`${record.key}: its history is not in the package; only its hash was checked.`);
      else wrong('A record stands in no commit of the package.');
      continue;
    }
    if (!family) {
      notes.push(`${record.key}: this version does not know the family; only its hash was checked.`);
      continue;
    }
    if (history.length < record.version && isCut) continue;
    let fields: Fields = {};
    for (const { commit, changes } of history) {
      fields = applyChanges(
        fields,
        changes.map(({ path, new: value }) => ({ path, new: value ?? null })),
        commit.at,
      );
    }
    const isFold = canonicalJson(fields) === canonicalJson(record.fields);
    if (found.is_exchanging) {
      // Central decides the order of commits that crossed, so another fold of the same commits can be right.
      if (!isFold)
        notes.push(`${record.key}: commits of several stations crossed; its fields are as central decided.`);
      continue;
    }
    if (!isFold) wrong('The fields of a record are not what its history says.');
    const last = history.at(-1)?.commit;
    const said = {
      version: history.length,
      created_at: history[0]?.commit.at,
      updated_at: last?.at,
      user: last?.user,
    };
    for (const name of ['version', 'created_at', 'updated_at', 'user'] as const) {
      if (!sameJson(record[name], said[name])) wrong(`The ${name} of a record is not what its history says.`);
    }
  }
  return notes;
}
