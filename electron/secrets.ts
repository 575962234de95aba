import type { SafeStorage } from 'electron';
import { z } from 'zod';
import { jsonFile } from './json-file.ts';

/** Secrets of this user, kept over the end of the app only where the system keeps them properly. */
export interface Secrets {
  /** Undefined where there is none, or it cannot be read any more. */
  read(name: string): string | undefined;
  /** Null takes it away. Where the system has no keyring nothing is kept: the secret ends with the app. */
  write(name: string, secret: string | null): void;
  isKept(): boolean;
}

export interface SecretsOptions {
  path: string;
  platform: NodeJS.Platform;
  safeStorage: Pick<
    SafeStorage,
    'isEncryptionAvailable' | 'encryptString' | 'decryptString' | 'getSelectedStorageBackend'
  >;
}

/**
 * By the system's keyring (DPAPI, Keychain, libsecret, KWallet). On a Linux without one Electron would "encrypt" with a
 * password that stands in its source (`basic_text`): that is refused, and so is a keyring that is not known yet.
 */
export function createSecrets({ path, platform, safeStorage }: SecretsOptions): Secrets {
  const file = jsonFile(path, z.record(z.string(), z.base64()), {});
  const isKept = () => {
    if (!safeStorage.isEncryptionAvailable()) return false;
    return platform !== 'linux' || !/^(basic_text|unknown)$/.test(safeStorage.getSelectedStorageBackend());
  };
  return {
    isKept,
    read(name) {
      const sealed = isKept() ? file.read()[name] : undefined;
      if (sealed === undefined) return undefined;
      try {
        return safeStorage.decryptString(Buffer.from(sealed, 'base64'));
      } catch {
        // Another user's, or of a keyring that is gone: as if nothing had been kept.
        return undefined;
      }
    },
    write(name, secret) {
      const kept = file.read();
      if (!isKept() || secret === null) {
        if (!Object.hasOwn(kept, name)) return;
        const { [name]: _gone, ...rest } = kept;
        file.write(rest);
        return;
      }
      file.write({ ...kept, [name]: safeStorage.encryptString(secret).toString('base64') });
    },
  };
}
