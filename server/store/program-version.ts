import manifest from '../../package.json' with { type: 'json' };

/** Of this program, as people and changelogs name it. */
export const PROGRAM_VERSION: string = manifest.version;
