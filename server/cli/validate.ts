import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { Command } from 'commander';
import { AppError } from '../../shared/contract/errors.ts';
import { type Language, languages } from '../../shared/operations/paper-operations.ts';
import type { TriedRequirement, ValidationReport } from '../../shared/operations/validation-operations.ts';
import type { Config } from '../app/config.ts';
import { COMMAND_LINE } from '../identity/owner-credential.ts';
import { fingerprintOfKey } from '../keys/ed25519.ts';
import { FolderLock } from '../store/sqlite/lock.ts';
import { DATABASE_FILE } from '../store/verify/verify.ts';
import { keepForTrail } from './keep-for-trail.ts';
import { cancellable, progressLine } from './progress.ts';
import { writeWhole } from './whole-file.ts';

interface Choices {
  json?: string;
  pdf?: string;
  language: string;
}

/** `holdpoint validate`: tries each requirement on scratch data, whether a server uses the data folder or not. */
export function validateCommand(configOf: () => Config): Command {
  return new Command('validate')
    .description(
      'validate this installation: try each requirement on scratch data; ends with 1 when one is not met',
    )
    .option('--json <file>', 'where to write the signed report besides the data folder')
    .option('--pdf <file>', 'where to write it as PDF')
    .option('--language <language>', 'of the PDF and of what is shown: en or de', 'en')
    .action(async ({ json, pdf, language: wanted }: Choices) => {
      const language = languages.find(one => one === wanted);
      if (!language)
        throw new AppError('validation_failed', `--language ${wanted} is none of: ${languages.join(', ')}.`);
      const config = configOf();
      const { report, kept } = await validated(config, language);
      process.stdout.write(told(report, kept, language));
      if (json !== undefined) await write(json, Buffer.from(kept.text));
      if (pdf !== undefined) await write(pdf, await pdfOf(report, kept.sha256, language));
      if (report.verdict === 'failed') process.exitCode = 1;
    });
}

async function validated(config: Config, language: Language) {
  const { folder } = config;
  if (!existsSync(join(folder, DATABASE_FILE)))
    throw new AppError(
      'not_found',
      `There are no data in ${folder}. Start the server once, or set HOLDPOINT_DATA.`,
    );
  const [
    { findAll },
    { signReport },
    { reportFolder },
    { validatedDetails },
    { openAuthority },
    { scratchOf },
  ] = await Promise.all([
    import('../qualification/find-all.ts'),
    import('../validation/report.ts'),
    import('../validation/report-folder.ts'),
    import('../validation/validations.ts'),
    import('../trust/authority-key.ts'),
    import('../validation/work.ts'),
  ]);
  // Beside the one that a server may run.
  const scratch = `${scratchOf(folder)}-command`;
  mkdirSync(scratch, { recursive: true, mode: 0o700 });
  const lock = new FolderLock(scratch, 0);
  const line = progressLine(process.stderr);
  try {
    keepForTrail(folder, { kind: 'validation_started' });
    const found = await cancellable(signal =>
      findAll({
        config,
        scratch: join(scratch, 'work'),
        signal,
        onProgress: (done, total, doing) =>
          line.show(`${done + 1} of ${total}: ${doing[language === 'de' ? 1 : 0]}`),
      }),
    ).finally(line.clear);
    // Not before: where there is no key one is made, and that it was missing is to be found.
    const report = signReport(openAuthority(folder), found, COMMAND_LINE);
    const kept = await reportFolder(folder).add(report);
    keepForTrail(folder, { kind: 'validated', details: validatedDetails(report, kept) });
    return { report, kept };
  } catch (error) {
    keepForTrail(folder, {
      kind: 'validated',
      details: { state: isCancelled(error) ? 'cancelled' : 'failed' },
    });
    throw error;
  } finally {
    lock.release();
    rmSync(scratch, { recursive: true, force: true });
  }
}

/** By Ctrl-C: `cancellable`. */
function isCancelled(error: unknown): boolean {
  return error instanceof AppError && error.message === 'Cancelled.';
}

async function pdfOf(report: ValidationReport, sha256: string, language: Language): Promise<Uint8Array> {
  const [{ makeValidationPaper }, { createPrinter }] = await Promise.all([
    import('../print/validation-paper.ts'),
    import('../print/printer.ts'),
  ]);
  const at = new Date().toISOString();
  const paper = makeValidationPaper({ report, sha256, language, zone: 'UTC', at, user: COMMAND_LINE });
  const printer = createPrinter();
  try {
    return await printer.print({ kind: 'paper', paper });
  } finally {
    await printer.close();
  }
}

async function write(file: string, content: Uint8Array): Promise<void> {
  const path = resolve(file);
  if (!existsSync(dirname(path))) throw new AppError('not_found', `There is no folder ${dirname(path)}.`);
  await cancellable(signal => writeWhole(path, new Blob([Uint8Array.from(content)]).stream(), signal));
  process.stdout.write(`${path}\n`);
}

const WORDS: Record<Language, Record<TriedRequirement['verdict'], string>> = {
  en: { passed: 'met', failed: 'NOT MET', not_tried: 'not tried' },
  de: { passed: 'erfüllt', failed: 'NICHT ERFÜLLT', not_tried: 'nicht geprüft' },
};

const RESULTS: Record<Language, Record<ValidationReport['verdict'], string>> = {
  en: { passed: 'Valid', failed: 'Not valid' },
  de: { passed: 'Gültig', failed: 'Nicht gültig' },
};

function told(
  { requirements, counts, verdict, key }: ValidationReport,
  { name, sha256 }: { name: string; sha256: string },
  language: Language,
): string {
  const words = WORDS[language];
  const lines = requirements.flatMap(one => [
    `${one.id}  ${words[one.verdict].padEnd(14)}${one.requirement[language]}`,
    ...(one.note ? [`       ${one.note[language]}`] : []),
    ...one.steps.flatMap(step =>
      step.is_right
        ? []
        : [
            `       ${step.done[language]}`,
            `         expected ${step.expected}`,
            `         seen     ${step.seen}`,
          ],
    ),
  ]);
  const { passed, failed, not_tried: notTried } = counts;
  return [
    ...lines,
    '',
    `${RESULTS[language][verdict]}: ${passed} ${words.passed}, ${failed} ${words.failed}, ${notTried} ${words.not_tried}.`,
    `${name}.json, SHA-256 ${sha256}, signed by the key SHA-256 ${fingerprintOfKey(key)}`,
    '',
  ].join('\n');
}
