import './earlier-version.ts';

/** The server of an earlier version, as the program of a `Station`: without its supervisor, which may start the bundle. */
const { runServer } = await import('../../server/app/process.ts');
await runServer(process.argv[2] === 'central' ? 'central' : 'station');
