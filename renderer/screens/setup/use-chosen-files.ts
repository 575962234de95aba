import { useRef, useState } from 'react';
import type { Family } from '../../../shared/contract/define-family.ts';
import { families, familyOf } from '../../../shared/families/registry.ts';
import { listOperations } from '../../../shared/operations/operations.ts';
import { useFamilyTexts } from '../../i18n/families/use-family-texts.ts';
import { fileGone } from '../../ui/file-gone.ts';
import { type FileHead, guessOptions, readHead } from './file-head.ts';
import { editableStep, type Mapping, parseMapping } from './mapping.ts';
import { exportedMapping, proposeMapping } from './propose-mapping.ts';

/** Families that a mapping can create records of. */
const creatable = Object.values<Family>(families).filter(({ name }) =>
  listOperations().some(({ family, kind }) => family?.name === name && kind === 'create'),
);

/**
 * The files that were chosen, and the mapping of them: the one among them, else one that is proposed.
 * @param onChange what was found out with another mapping does not hold any more
 */
export function useChosenFiles(onChange: () => void) {
  const texts = useFamilyTexts();
  const [files, setFiles] = useState<File[]>([]);
  const [mappingFile, setMappingFile] = useState<File[] | null>(null);
  const [mapping, setMapping] = useState<Mapping | undefined>();
  const [head, setHead] = useState<FileHead | undefined>();
  const [failure, setFailure] = useState<unknown>(null);
  /** What was begun last: what an earlier one reads slowly is no answer any more. */
  const latest = useRef<object>(null);
  const exported = exportedMapping(files.map(({ name }) => name));
  const step = mapping && editableStep(mapping);
  const isExport = !mappingFile && mapping?.steps[0]?.format === 'holdpoint';

  const begin = () => {
    const one = {};
    latest.current = one;
    return () => latest.current === one;
  };

  const show = async (next: Mapping, among: readonly File[]) => {
    const isLatest = begin();
    onChange();
    setMapping(next);
    const one = editableStep(next);
    const file = one && among.find(({ name }) => name === one.file);
    setFailure(null);
    try {
      const read = file && (await readHead(file, next.files?.[file.name] ?? {}));
      if (isLatest()) setHead(read);
    } catch (error) {
      const gone = file && (await fileGone(file));
      if (!isLatest()) return;
      setHead(undefined);
      setFailure(gone ?? error);
    }
  };

  const choose = async (given: readonly File[]) => {
    const isLatest = begin();
    onChange();
    // Nothing is checked or imported with the former files while these are read.
    setFiles([]);
    setMappingFile(null);
    setMapping(undefined);
    setHead(undefined);
    setFailure(null);
    try {
      const texted = await Promise.all(given.map(async file => ({ file, mapping: await mappingIn(file) })));
      if (!isLatest()) return;
      const found = texted.find(each => each.mapping !== undefined);
      const others = given.filter(file => file !== found?.file);
      setFiles(others);
      setMappingFile(found ? [found.file] : null);
      const next = found?.mapping ?? exportedMapping(others.map(({ name }) => name));
      if (next) await show(next, others);
    } catch (error) {
      if (isLatest()) setFailure(error);
    }
  };

  const setFamily = async (name: string) => {
    const family = familyOf(name);
    const file = files[0];
    if (!family || !file) return;
    const isLatest = begin();
    setFailure(null);
    try {
      const options = await guessOptions(file);
      const read = await readHead(file, options);
      const proposal = { file: file.name, family, head: read, options, labelOf: texts.label };
      if (isLatest()) await show(proposeMapping(proposal), files);
    } catch (error) {
      const gone = await fileGone(file);
      if (isLatest()) setFailure(gone ?? error);
    }
  };

  return {
    files,
    mappingFile,
    mapping,
    /** The step that can be edited column by column. */
    step,
    family: step && familyOf(step.family),
    head,
    failure,
    families: creatable,
    canBeExport: exported !== undefined,
    isExport,
    choose,
    setFamily: (name: string) => void setFamily(name),
    setIsExport: (isWanted: boolean) => {
      if (isWanted && exported) void show(exported, files);
      else setMapping(undefined);
    },
    change: (next: Mapping) => void show(next, files),
  };
}

/** A mapping is small, and JSON. */
const MAPPING_LIMIT = 1024 * 1024;

async function mappingIn(file: File): Promise<Mapping | undefined> {
  if (file.size > MAPPING_LIMIT || !/\.json$/i.test(file.name)) return undefined;
  try {
    return parseMapping(await file.text());
  } catch (error) {
    throw (await fileGone(file)) ?? error;
  }
}
