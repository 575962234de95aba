import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const PROGRAM = join(import.meta.dirname, 'stand-in-main.ts');
/** For what hangs. */
export const PATIENCE_MS = 180_000;

export interface StandInOptions {
  /** `dist/electron` of a build, with `server` and `renderer` beside it. */
  bundle: string;
  env?: Record<string, string>;
  args?: string[];
}

interface Told {
  event: string;
  [key: string]: unknown;
}

export interface StandInAnswer {
  status: number;
  headers: Record<string, string>;
  body: string;
}

export type StandIn = Awaited<ReturnType<typeof startStandIn>>;

/** This app's main process in Node.js, with a stand-in for Electron and a real server process, on data of its own. */
export async function startStandIn({ bundle, env = {}, args = [] }: StandInOptions) {
  const folder = await mkdtemp(join(tmpdir(), 'holdpoint-app-'));
  const data = env.HOLDPOINT_DATA ?? join(folder, 'data');
  const child = fork(PROGRAM, [bundle, ...args], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    execArgv: ['--disable-warning=ExperimentalWarning'],
    env: {
      ...process.env,
      NODE_ENV: undefined,
      HOLDPOINT_TOKEN: undefined,
      HOME: folder,
      XDG_DATA_HOME: join(folder, 'share'),
      HOLDPOINT_DATA: data,
      HOLDPOINT_PORT: '0',
      HOLDPOINT_LOG: 'warn',
      ...env,
    },
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', text => {
      output += text;
    });
  }
  const closed = once(child, 'close');
  const waiting: { isIt: (told: Told) => boolean; resolve: (told: Told) => void }[] = [];
  const told: Told[] = [];
  child.on('message', message => {
    const event = message as Told;
    const at = waiting.findIndex(({ isIt }) => isIt(event));
    if (at === -1) told.push(event);
    else waiting.splice(at, 1)[0]?.resolve(event);
  });

  /** The next event, also one that came before anybody waited; each is given once. */
  function wait(isIt: (event: Told) => boolean, what: string): Promise<Told> {
    const at = told.findIndex(isIt);
    const [had] = at === -1 ? [] : told.splice(at, 1);
    if (had) return Promise.resolve(had);
    return new Promise((resolve, reject) => {
      const late = setTimeout(
        () => reject(new Error(`No ${what} came.\n${output}\n${JSON.stringify(told)}`)),
        PATIENCE_MS,
      );
      waiting.push({
        isIt,
        resolve: event => {
          clearTimeout(late);
          resolve(event);
        },
      });
    });
  }

  let asked = 0;
  return {
    folder,
    data,
    next: (event: string) => wait(each => each.event === event, event),
    /** What was told of an event so far, and nobody waited for. */
    told: (event: string) => told.filter(each => each.event === event),
    /** What a page gets for a request; `first`: only what comes first of a stream. */
    async ask(request: { url: string; method?: string; headers?: object; body?: string; first?: boolean }) {
      const id = ++asked;
      child.send({ id, do: 'ask', ...request });
      const answer = await wait(each => each.event === 'answer' && each.id === id, `answer ${request.url}`);
      return {
        status: Number(answer.status),
        headers: Object.fromEntries(answer.headers as [string, string][]),
        body: String(answer.body),
      } satisfies StandInAnswer;
    },
    /** As a page calls it over the bridge; `content` is text here. */
    invoke: (channel: string, input?: { content: string }) =>
      void child.send({ do: 'invoke', channel, input }),
    /** In the page of the screens, on a real Chromium alone; the value of an expression. */
    async evaluate(expression: string): Promise<unknown> {
      const id = ++asked;
      child.send({ id, do: 'evaluate', expression });
      return (await wait(each => each.event === 'evaluated' && each.id === id, expression)).value;
    },
    /** Text of a function that is called in the main process with the module `electron`, on a real Chromium alone. */
    async inMain(work: string): Promise<unknown> {
      const id = ++asked;
      child.send({ id, do: 'in-main', work });
      const { value, error } = await wait(each => each.event === 'in-main' && each.id === id, work);
      if (error !== undefined) throw new Error(String(error));
      return value;
    },
    /** Ends the process of the page of the screens. */
    crash: () => void child.send({ do: 'crash' }),
    emit: (on: 'app' | 'power', name: string, ...rest: unknown[]) =>
      void child.send({ do: 'emit', on, name, args: rest }),
    /** Presses keys in the page of the screens, such as `Control+N`, on a real Chromium alone. */
    press: (keys: string) => void child.send({ do: 'press', keys }),
    /** An error that nobody catches, in the main process. */
    fault: () => void child.send({ do: 'fault' }),
    /** As Windows ends the session of a user, or Linux and macOS the machine. */
    endSession: () => void child.send({ do: 'end-session' }),
    shutDown: () => void child.send({ do: 'shut-down' }),
    /** As a person does. */
    closeWindow: () => void child.send({ do: 'close-window' }),
    choose: (button: number) => void child.send({ do: 'choose', button }),
    /** Ends the app as a person does; resolves with its exit code when it and its server have ended. */
    async quit(): Promise<number | null> {
      if (child.exitCode === null && child.connected) child.send({ do: 'quit' });
      const late = setTimeout(() => child.kill('SIGKILL'), PATIENCE_MS);
      const [code] = await closed;
      clearTimeout(late);
      await rm(folder, { recursive: true, force: true, maxRetries: 3 });
      return code;
    },
    /** What it wrote to its streams. */
    output: () => output,
    ended: () => closed.then(([code]) => code as number | null),
  };
}
