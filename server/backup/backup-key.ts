import { invalid } from '../../shared/contract/errors.ts';

/** A recovery key: the identity opens what the recipient encrypts. Only the recipient stays on the machine. */
export interface BackupKey {
  /** `AGE-SECRET-KEY-1…`: for paper or a safe. Never logged, never kept. */
  identity: string;
  /** `age1…` */
  recipient: string;
}

const PREFIX = 'AGE-SECRET-KEY-1';
/** Characters behind the prefix, those of its checksum included. */
const LENGTH = 58;
/** What people type for what a key never has. The checksum says whether it was meant. */
const LOOKS_LIKE: Readonly<Record<string, string>> = { O: '0', I: 'L', 1: 'L', B: '8' };
/** Characters of a key's name. */
const NAME = 8;

/** A fresh one, of age's own kind (X25519). */
export async function newBackupKey(): Promise<BackupKey> {
  const { generateX25519Identity, identityToRecipient } = await import('age-encryption');
  const identity = await generateX25519Identity();
  return { identity, recipient: await identityToRecipient(identity) };
}

/**
 * What somebody typed from paper, or a key file as `age-keygen` writes it: in groups, in small letters, with or without what
 * all keys begin with.
 * @throws AppError 422 on `field` that says what is wrong with it; it never repeats the key
 */
export async function readBackupKey(text: string, field = 'key'): Promise<BackupKey> {
  const said = text
    .split('\n')
    .filter(line => !line.trimStart().startsWith('#'))
    .join('')
    .toUpperCase()
    .replace(/[^\p{L}\p{N}]/gu, '');
  const refused = (message: string) => invalid({ [field]: [message] });
  if (said === '') throw refused('Give the recovery key, as it stands on its paper.');
  if (said.startsWith('AGE1'))
    throw refused(
      'This is the recipient, by which backups are written. What opens them begins with AGE-SECRET-KEY-1 and stands on the paper of the recovery key.',
    );
  const bare = said.replace(/^AGESECRETKEY[1IL]/, '');
  const strange = /[^A-Z0-9]/.exec(bare)?.[0];
  if (strange !== undefined) throw refused(`"${strange}" never stands in a key. Compare it with the paper.`);
  if (bare.length !== LENGTH) {
    const differs = Math.abs(LENGTH - bare.length);
    throw refused(
      `A recovery key has ${LENGTH} characters after ${PREFIX}; these are ${bare.length}, ${differs} too ${bare.length < LENGTH ? 'few' : 'many'}. Compare it group by group with the paper.`,
    );
  }
  const identity = `${PREFIX}${bare.replace(/[OI1B]/g, character => LOOKS_LIKE[character] ?? '')}`;
  const { identityToRecipient } = await import('age-encryption');
  try {
    return { identity, recipient: await identityToRecipient(identity) };
  } catch {
    // The library's own message has the key in it.
    throw refused(
      'The recovery key is mistyped: its last six characters, which prove the others, do not fit. Compare it group by group with the paper.',
    );
  }
}

/** @throws AppError 422 on `recipient` */
export async function readRecipient(text: string): Promise<string> {
  const recipient = text.trim().toLowerCase();
  const refused = (message: string) => invalid({ recipient: [message] });
  if (recipient.startsWith('age-secret-key-'))
    throw refused(
      'This is the recovery key itself, which must not lie on this machine. Give its recipient, which begins with age1.',
    );
  const { Encrypter } = await import('age-encryption');
  try {
    if (!/^age1[a-z0-9]{58}$/.test(recipient)) throw new Error('of another kind');
    new Encrypter().addRecipient(recipient);
    return recipient;
  } catch {
    throw refused(
      'This is no recipient of age (X25519): age1 and 58 characters. It is mistyped, or of another kind.',
    );
  }
}

/** By which people tell keys apart: it stands on the paper, in Setup, and in the name of each backup. */
export function keyNameOf(recipient: string): string {
  return recipient.slice('age1'.length, 'age1'.length + NAME);
}

/** In groups of six, as it is shown, printed and typed back. */
export function groupsOf(identity: string): string[] {
  return identity.slice(PREFIX.length).match(/.{1,6}/g) ?? [];
}

/** Whether somebody has the key before him: the last two groups of it, typed back. */
export function isTypedBack(identity: string, typed: string): boolean {
  const last = groupsOf(identity).slice(-2).join('');
  const said = typed.toUpperCase().replace(/[^A-Z0-9]/g, '');
  return said.replace(/[OI1B]/g, character => LOOKS_LIKE[character] ?? '') === last;
}
