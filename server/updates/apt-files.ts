import { publishedFile } from './published-file.ts';

/** What a repository of apt consists of, and nothing else that lies beside it. */
const APT = [
  /^dists\/[a-z][a-z0-9-]*\/(?:InRelease|Release|Release\.gpg)$/,
  /^dists\/[a-z][a-z0-9-]*\/main\/binary-[a-z0-9]+\/Packages(?:\.gz)?$/,
  /^pool\/[a-z0-9][\w.~-]*\.deb$/,
  /^holdpoint\.asc$/,
];

/** What one of dnf consists of: a folder for each ring. */
const DNF = [
  /^[a-z][a-z0-9-]*\/repodata\/repomd\.xml(?:\.asc)?$/,
  /^[a-z][a-z0-9-]*\/repodata\/[0-9a-f]{64,128}-(?:primary|filelists|other)\.xml\.gz$/,
  /^[a-z][a-z0-9-]*\/[a-z0-9][\w.~-]*\.rpm$/,
  /^holdpoint\.asc$/,
];

/**
 * A file of the repository for apt that somebody put into `folder`; undefined for any other name. Its publisher has signed it: apt
 * believes central nothing.
 */
export function aptFile(folder: string, name: string): string | undefined {
  return publishedFile(folder, name, APT);
}

/** The same for dnf. */
export function dnfFile(folder: string, name: string): string | undefined {
  return publishedFile(folder, name, DNF);
}
