import type { CustomPublishOptions, RequestHeaders } from 'builder-util-runtime';
import type { AppUpdater, UpdateInfo } from 'electron-updater';
import { GenericProvider } from 'electron-updater/out/providers/GenericProvider.js';
import type { ProviderRuntimeOptions } from 'electron-updater/out/providers/Provider.js';
import { RELEASE_NAME, type Release, ReleaseRefused } from '../shared/contract/signed-release.ts';

/** A feed and the text of its statement, '' where there is none. @throws ReleaseRefused where it is not to be believed */
export type CheckFeed = (name: string, feed: string, envelope: string) => Promise<Release>;

/**
 * How electron-updater is told to look at `url`: it reads no feed that `check` has not taken, and so no digest of a file that the
 * publisher has not signed.
 */
export function signedFeed(url: string, check: CheckFeed): CustomPublishOptions {
  class SignedProvider extends GenericProvider {
    #release: Release | undefined;

    constructor(options: CustomPublishOptions, updater: AppUpdater, runtime: ProviderRuntimeOptions) {
      super({ provider: 'generic', url: String(options.url) }, updater, runtime);
    }

    /** Only feeds are asked for by it (electron-updater/out/providers/Provider.js). */
    protected override async httpRequest(from: URL, ...rest: [RequestHeaders?]): Promise<string | null> {
      const feed = await super.httpRequest(from, ...rest).catch(orNothing([409]));
      const name = from.pathname.slice(from.pathname.lastIndexOf('/') + 1);
      const envelope = await super.httpRequest(new URL(RELEASE_NAME, from), ...rest).catch(orNothing([404]));
      this.#release = await check(name, feed ?? '', envelope ?? '');
      return feed;
    }

    override async getLatestVersion(): Promise<UpdateInfo> {
      const info = await super.getLatestVersion();
      const version = this.#release?.version;
      if (info.version === version) return info;
      throw new ReleaseRefused('mixed', `The feed is of ${info.version}, its release of ${version}.`);
    }
  }
  return { provider: 'custom', url, updateProvider: SignedProvider };
}

/** A feed that the station refuses, or one without a statement, is no failure of the network: `check` says what it is. */
function orNothing(statuses: readonly number[]) {
  return (error: unknown): null => {
    if (error instanceof Error && 'statusCode' in error && statuses.includes(Number(error.statusCode)))
      return null;
    throw error;
  };
}
