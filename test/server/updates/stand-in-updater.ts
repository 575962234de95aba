import { mkdir, writeFile } from 'node:fs/promises';
import { type RequestOptions, request } from 'node:http';
import { join } from 'node:path';
import type { AppAdapter } from 'electron-updater/out/AppAdapter.js';
import type { DownloadExecutorResult, DownloadUpdateOptions } from 'electron-updater/out/AppUpdater.js';
import { BaseUpdater, type InstallOptions } from 'electron-updater/out/BaseUpdater.js';
import { ElectronHttpExecutor } from 'electron-updater/out/electronHttpExecutor.js';
import { findFile } from 'electron-updater/out/providers/Provider.js';

/** Its downloads over Node's HTTP client instead of Chromium's. */
class HttpExecutor extends ElectronHttpExecutor {
  override createRequest(options: RequestOptions, onResponse: (response: unknown) => void): never {
    // A connection each: one that is kept gets a listener from every download.
    return request({ ...options, agent: false }, onResponse) as never;
  }
}

/** electron-updater's own way from feed to verified file, without Electron; the installer only takes notes. */
export class StandInUpdater extends BaseUpdater {
  readonly installed: { file: string | null; options: InstallOptions }[] = [];
  readonly #quit: ((exitCode: number) => void)[];

  static async open(folder: string, version: string): Promise<StandInUpdater> {
    const quit: ((exitCode: number) => void)[] = [];
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, 'app-update.yml'), 'provider: generic\nupdaterCacheDirName: updater\n');
    const app: AppAdapter = {
      version,
      name: 'holdpoint',
      isPackaged: true,
      appUpdateConfigPath: join(folder, 'app-update.yml'),
      userDataPath: folder,
      baseCachePath: folder,
      whenReady: async () => {},
      relaunch: () => {},
      quit: () => {},
      onQuit: handler => void quit.push(handler),
    };
    return new StandInUpdater(app, quit);
  }

  private constructor(app: AppAdapter, quit: ((exitCode: number) => void)[]) {
    super(null, app);
    this.#quit = quit;
    Object.assign(this, { httpExecutor: new HttpExecutor(), _testOnlyOptions: { platform: 'linux' } });
    this.logger = null;
  }

  /** The app ends. */
  endApp(exitCode = 0): void {
    for (const handler of this.#quit) handler(exitCode);
  }

  protected override doDownloadUpdate(options: DownloadUpdateOptions): Promise<DownloadExecutorResult> {
    const { info, provider } = options.updateInfoAndProvider;
    const fileInfo = findFile(provider.resolveFiles(info), 'AppImage', []);
    if (!fileInfo) throw new Error('The feed has no AppImage.');
    return this.executeDownload({
      fileExtension: 'AppImage',
      fileInfo,
      downloadUpdateOptions: options,
      task: (file, how) => new HttpExecutor().download(fileInfo.url, file, how),
    });
  }

  protected override doInstall(options: InstallOptions): boolean {
    this.installed.push({ file: this.installerPath, options });
    return true;
  }
}
