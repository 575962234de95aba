import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PUBLISHER_KEYS } from '../../shared/contract/publisher-keys.ts';
import {
  RELEASE_NAME,
  ReleaseRefused,
  RING_NAME,
  readRelease,
  STABLE,
} from '../../shared/contract/signed-release.ts';
import { isInWindow } from '../../shared/contract/update-window.ts';
import type { EnrolmentData } from '../sync/client/enrolment-data.ts';
import { aptFile, dnfFile } from './apt-files.ts';
import { type CentralFiles, openCentralFiles } from './central-file.ts';
import { ownReleases, type Releases, relayedReleases } from './releases.ts';

export interface OpenReleasesOptions {
  config: {
    /** The data folder. */
    folder: string;
    /** Whose releases a station follows; undefined: the stable ones. */
    updateRing?: string | undefined;
    /** When a station offers them, as `updateWindowSchema`; undefined: always. */
    updateWindow?: string | undefined;
  };
  isCentral: boolean;
  /** What the station keeps of its central, now; undefined where it stands alone. */
  enrolmentData: () => EnrolmentData | undefined;
  /** PEM text of the authorities by which a station knows its central. */
  authorities: string | undefined;
  clock: () => Date;
}

export interface OpenedReleases extends Releases {
  /** The releases of another ring than the stable one; undefined for what is no ring's name, and at a station. */
  ofRing(ring: string): Releases | undefined;
  /** The path of a file of central's repository for apt; undefined for any other name, and at a station. */
  aptFile(name: string): string | undefined;
  /** The same of its repository for dnf. */
  dnfFile(name: string): string | undefined;
  /**
   * The version that a ring offers by what the publisher has signed; null where the stations of this ring would take nothing, and at
   * a station.
   */
  offered(ring: string): Promise<string | null>;
  close(): void;
}

/**
 * The releases that this installation publishes: a central those in its folder `updates`, which somebody fills, with a folder in it for each further ring; a
 * station its central's, in `updates-received`; one that stands alone none.
 */
export function openReleases({
  config: { folder, updateRing = STABLE, updateWindow },
  isCentral,
  enrolmentData,
  authorities,
  clock,
}: OpenReleasesOptions): OpenedReleases {
  if (isCentral)
    return {
      ...ownReleases(join(folder, 'updates')),
      ofRing: name => (RING_NAME.test(name) ? ownReleases(join(folder, 'updates', name)) : undefined),
      aptFile: name => aptFile(join(folder, 'updates', 'apt'), name),
      dnfFile: name => dnfFile(join(folder, 'updates', 'dnf'), name),
      offered: ring => offeredVersion(join(folder, 'updates', ring === STABLE ? '' : ring), ring, clock()),
      close: () => {},
    };
  let opened: { data: EnrolmentData; files: CentralFiles } | undefined;
  const central = () => {
    const data = enrolmentData();
    // A station may be enrolled, or enrolled anew, while it runs, and central's certificate renewed.
    const isSame =
      data?.address === opened?.data.address &&
      data?.certificate === opened?.data.certificate &&
      data?.next === opened?.data.next;
    if (isSame) return opened?.files;
    opened?.files.close();
    opened = data && { data, files: openCentralFiles(data, authorities) };
    return opened?.files;
  };
  return {
    ...relayedReleases({
      folder: join(folder, 'updates-received'),
      central,
      keys: PUBLISHER_KEYS,
      ring: updateRing,
      isOpen: () => isInWindow(updateWindow, clock()),
      now: clock,
    }),
    ofRing: () => undefined,
    aptFile: () => undefined,
    dnfFile: () => undefined,
    offered: async () => null,
    close: () => opened?.files.close(),
  };
}

async function offeredVersion(folder: string, ring: string, now: Date): Promise<string | null> {
  try {
    const envelope = readFileSync(join(folder, RELEASE_NAME), 'utf8');
    return (await readRelease(envelope, { keys: PUBLISHER_KEYS, now, ring })).version;
  } catch (error) {
    const isNone = error instanceof Error && 'code' in error && error.code === 'ENOENT';
    if (isNone || error instanceof ReleaseRefused) return null;
    throw error;
  }
}
