import { spawnSync } from 'node:child_process';

type Environment = Record<string, string | undefined>;

/** Of an account of Azure's signing service; who may use it, say `AZURE_TENANT_ID`, `AZURE_CLIENT_ID`, `AZURE_CLIENT_SECRET`. */
const AZURE = {
  endpoint: 'AZURE_SIGNING_ENDPOINT',
  codeSigningAccountName: 'AZURE_SIGNING_ACCOUNT',
  certificateProfileName: 'AZURE_SIGNING_PROFILE',
  publisherName: 'AZURE_SIGNING_PUBLISHER',
} as const;

/**
 * How Windows programs are signed: public authorities give certificates for it only in hardware or as a service, so by
 * Azure's where its account is named. `WIN_CSC_LINK` and `WIN_CSC_KEY_PASSWORD` are for a company's own authority.
 * @throws Error where only some of the account is named
 */
export function windowsSigning(env: Environment): { azureSignOptions?: Record<keyof typeof AZURE, string> } {
  const named = Object.values(AZURE).filter(name => env[name]);
  if (named.length === 0) return {};
  const missing = Object.values(AZURE).filter(name => !env[name]);
  if (missing.length > 0) throw new Error(`To sign by Azure ${missing.join(', ')} must be set too.`);
  const value = (name: keyof typeof AZURE) => String(env[AZURE[name]]);
  return {
    azureSignOptions: {
      endpoint: value('endpoint'),
      codeSigningAccountName: value('codeSigningAccountName'),
      certificateProfileName: value('certificateProfileName'),
      publisherName: value('publisherName'),
    },
  };
}

/** `CSC_LINK` is Apple's certificate, with which nothing for Windows is signed. */
export function environmentOf(platform: NodeJS.Platform, env: Environment): Environment {
  if (platform === 'darwin') return env;
  const { CSC_LINK: _apples, CSC_KEY_PASSWORD: _its, ...rest } = env;
  return rest;
}

/**
 * Signs an app for macOS by no identity, as Electron comes: the fuses have changed what was signed, and processors of Apple
 * run nothing whose signature is wrong. A real signature takes its place where there is an identity.
 * @throws Error where `codesign` refuses
 */
export function signAdHoc(
  app: string,
  {
    platform = process.platform,
    run = spawnSync,
  }: { platform?: NodeJS.Platform; run?: typeof spawnSync } = {},
): void {
  // Elsewhere there is no `codesign`, and `npm run dist` makes no app for macOS there.
  if (platform !== 'darwin') return;
  const keep = '--preserve-metadata=entitlements,requirements,flags,runtime';
  const { status, stderr } = run('codesign', ['--force', '--deep', keep, '--sign', '-', app], {
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`codesign refuses ${app}: ${String(stderr)}`);
}
