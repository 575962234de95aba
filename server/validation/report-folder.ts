import { hash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { AppError } from '../../shared/contract/errors.ts';
import {
  type ValidationReport,
  type ValidationState,
  validationReportSchema,
} from '../../shared/operations/validation-operations.ts';
import { replaceFile } from '../store/replace-file.ts';
import { isReportSigned } from './report.ts';

const NAME = /^validation-\d{8}T\d{9}Z$/;
const LISTED = 100;

type Summary = ValidationState['reports'][number];

export interface KeptReport {
  report: ValidationReport;
  /** As it lies on the disk. */
  text: string;
  sha256: string;
}

/** The reports of a data folder: a file each, which nothing removes. */
export function reportFolder(data: string) {
  const folder = join(data, 'validation');
  const pathOf = (name: string) => join(folder, `${name}.json`);
  /** By name, with what the file was like when it was read: a report is never written again, but may be altered. */
  const known = new Map<string, { stamp: string; summary: Summary | undefined }>();

  /** @throws AppError `not_found`; `unavailable` for one that is not as it was signed */
  function read(name: string): KeptReport {
    if (!NAME.test(name) || !existsSync(pathOf(name)))
      throw new AppError(
        'not_found',
        'There is no report with this name. The list names those that there are.',
      );
    const text = readFileSync(pathOf(name), 'utf8');
    const report = reportIn(text);
    if (!report)
      throw new AppError(
        'unavailable',
        `${pathOf(name)} is not what the installation has signed: it was altered. Validate again, and keep reports elsewhere as well.`,
      );
    return { report, text, sha256: hash('sha256', text) };
  }

  return {
    read,

    /** @returns its name */
    async add(report: ValidationReport): Promise<{ name: string; sha256: string; text: string }> {
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      const name = `validation-${report.began_at.replace(/[-:.]/g, '')}`;
      const text = `${JSON.stringify(report, null, 2)}\n`;
      await replaceFile(folder, `${name}.json`, text, 0o600);
      return { name, sha256: hash('sha256', text), text };
    },

    /** The newest first. One that was altered is left out: who asks for it is told. */
    list(): Summary[] {
      if (!existsSync(folder)) return [];
      const names = readdirSync(folder)
        .flatMap(file => (file.endsWith('.json') && NAME.test(file.slice(0, -5)) ? [file.slice(0, -5)] : []))
        .sort()
        .reverse()
        .slice(0, LISTED);
      return names.flatMap(name => {
        const { mtimeMs, ctimeMs, size } = statSync(pathOf(name));
        const stamp = [mtimeMs, ctimeMs, size].join(' ');
        const before = known.get(name);
        const read = before?.stamp === stamp ? before : { stamp, summary: summaryOf(name) };
        known.set(name, read);
        return read.summary ? [read.summary] : [];
      });
    },
  };

  function summaryOf(name: string): Summary | undefined {
    const text = readFileSync(pathOf(name), 'utf8');
    const report = reportIn(text);
    if (!report) return undefined;
    const { began_at, by, version, verdict, counts } = report;
    return { name, began_at, by, version, verdict, counts, sha256: hash('sha256', text) };
  }
}

function reportIn(text: string): ValidationReport | undefined {
  try {
    // As it is: what a later version adds is signed as well.
    const report: unknown = JSON.parse(text);
    validationReportSchema.parse(report);
    return isReportSigned(report as ValidationReport) ? (report as ValidationReport) : undefined;
  } catch {
    return undefined;
  }
}
