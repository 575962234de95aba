import type { Page } from 'playwright-core';

/** As Electron's world for preload scripts is named to developers (shell/renderer/renderer_client_base.cc, SetIsolatedWorldInfo). */
const WORLD = 'Electron Isolated Context';
/** Of the binding that the preload's world alone has, and of the events between the two worlds. */
const BINDING = 'invokeOfTheStandIn';

/** Below it the server of the shim answers whether a page may open an address: `allow` or `deny`. */
export const OPEN_PATH = '/stand-in/open?';

/** Answers what a preload asks of the main process; what it throws goes to the page. */
export type Invoke = (channel: string, ...args: unknown[]) => unknown;

/**
 * Runs a preload script before each document of a page, in a world of its own, which shares the document with the page's
 * and no object. What it exposes crosses as Electron's context bridge lets it, by events of the document, which clone what they
 * carry. Only functions that answer by a promise: the two worlds cannot wait for each other.
 */
export async function runInIsolatedWorld(page: Page, preload: string, invoke: Invoke): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send('Page.enable');
  await session.send('Runtime.enable');
  await session.send('Runtime.addBinding', { name: BINDING, executionContextName: WORLD });
  session.on('Runtime.bindingCalled', async ({ payload, executionContextId }) => {
    const { id, channel, args } = JSON.parse(payload, revived) as {
      id: number;
      channel: string;
      args: unknown[];
    };
    const answer = await Promise.resolve()
      .then(() => invoke(channel, ...args))
      .then(
        result => ({ id, result }),
        // Of an error only its text crosses to the renderer (shell/common/api/electron_api_ipc.cc; lib/browser/ipc-main-impl.ts).
        (error: unknown) => ({ id, error: String(error) }),
      );
    const expression = `globalThis.answerOfTheStandIn(${JSON.stringify(answer)})`;
    // The document may be gone meanwhile.
    await session
      .send('Runtime.evaluate', { expression, contextId: executionContextId })
      .catch(() => undefined);
  });
  // In this order: the page's half listens before the preload exposes anything.
  const script = 'Page.addScriptToEvaluateOnNewDocument' as const;
  await session.send(script, { source: `(${pageHalf})(${JSON.stringify(OPEN_PATH)})` });
  const source = `(${preloadHalf})(${JSON.stringify(BINDING)}, (require, process, exports, module) => {\n${preload}\n})`;
  await session.send(script, { source, worldName: WORLD });
}

function revived(_name: string, value: unknown): unknown {
  const isBytes = typeof value === 'object' && value !== null && 'bytesOfTheStandIn' in value;
  return isBytes ? Buffer.from(String(value.bytesOfTheStandIn), 'base64') : value;
}

/** In the page's world. It keeps what it uses before the page can change it. */
function pageHalf(openPath: string): void {
  const { freeze, defineProperty, hasOwn } = Object;
  const [NativePromise, NativeError, Happening] = [Promise, Error, CustomEvent];
  const clone = structuredClone;
  const listen = addEventListener.bind(window);
  const dispatch = dispatchEvent.bind(window);
  const waiting = new Map<number, (answer: { result?: unknown; error?: string }) => void>();
  const [setWaiting, takeWaiting] = [waiting.set.bind(waiting), waiting.get.bind(waiting)];
  let calls = 0;

  /** Functions are proxied, objects made anew and frozen (shell/renderer/api/electron_api_context_bridge.cc). */
  function made(shape: unknown, path: string): unknown {
    if (shape === 'function')
      return freeze((...args: unknown[]) => {
        const id = ++calls;
        return new NativePromise((resolve, reject) => {
          setWaiting(id, ({ result, error }) =>
            error === undefined ? resolve(result) : reject(new NativeError(error)),
          );
          try {
            // What cannot be cloned does not come as far as the main process (the same file; lib/renderer/api/ipc-renderer.ts).
            dispatch(new Happening('stand-in-call', { detail: { id, path, args: clone(args) } }));
          } catch {
            reject(new NativeError('An object could not be cloned.'));
          }
        });
      });
    const object: Record<string, unknown> = {};
    for (const [name, each] of Object.entries(shape as object)) object[name] = made(each, `${path}.${name}`);
    return freeze(object);
  }

  const open = window.open.bind(window);
  window.open = (address, ...more) => {
    const asked = new XMLHttpRequest();
    asked.open('GET', openPath + encodeURIComponent(new URL(String(address), location.href).href), false);
    asked.send();
    return asked.responseText === 'allow' ? open(address, ...more) : null;
  };

  listen('stand-in-expose', event => {
    const { name, shape } = (event as CustomEvent).detail;
    // electron_api_context_bridge.cc, ExposeAPIInWorld.
    if (hasOwn(window, name))
      throw new NativeError('Cannot bind an API on top of an existing property on the window object');
    defineProperty(window, name, { value: made(shape, name), enumerable: true });
  });
  listen('stand-in-answer', event => {
    const { id, ...answer } = (event as CustomEvent).detail;
    takeWaiting(id)?.(answer);
  });
}

/** In the preload's world: what a sandboxed preload has of Electron and of Node.js, and no more (lib/sandboxed_renderer/preload.ts). */
function preloadHalf(
  binding: string,
  preload: (require: (name: string) => unknown, process: object, exports: object, module: object) => void,
): void {
  // In the main frame alone, unless nodeIntegrationInSubFrames (shell/renderer/electron_sandboxed_renderer_client.cc, ShouldLoadPreload).
  if (window.top !== window) return;
  const call = (globalThis as unknown as Record<string, (payload: string) => void>)[binding];
  const waiting = new Map<number, (answer: { result?: unknown; error?: string }) => void>();
  const exposed = new Map<string, (...args: unknown[]) => unknown>();
  let calls = 0;

  const ipcRenderer = {
    invoke: (channel: string, ...args: unknown[]) =>
      new Promise((resolve, reject) => {
        const id = ++calls;
        waiting.set(id, ({ result, error }) => {
          // lib/renderer/api/ipc-renderer.ts
          if (error === undefined) resolve(result);
          else reject(new Error(`Error invoking remote method '${channel}': ${error}`));
        });
        call?.(JSON.stringify({ id, channel, args }, encoded));
      }),
  };
  const contextBridge = {
    exposeInMainWorld(name: string, api: object) {
      dispatchEvent(new CustomEvent('stand-in-expose', { detail: { name, shape: shapeOf(api, name) } }));
    },
  };
  Object.assign(globalThis, {
    answerOfTheStandIn: ({ id, ...answer }: { id: number; result?: unknown; error?: string }) =>
      waiting.get(id)?.(answer),
  });
  addEventListener('stand-in-call', async event => {
    const { id, path, args } = (event as CustomEvent).detail;
    const answer = await Promise.resolve()
      .then(() => exposed.get(path)?.(...args))
      .then(
        result => ({ id, result }),
        (error: Error) => ({ id, error: error.message }),
      );
    dispatchEvent(new CustomEvent('stand-in-answer', { detail: answer }));
  });

  function shapeOf(value: unknown, path: string): unknown {
    if (typeof value === 'function') {
      exposed.set(path, value as () => unknown);
      return 'function';
    }
    if (typeof value !== 'object' || value === null)
      throw new Error(`${path}: the stand-in knows functions only.`);
    return Object.fromEntries(
      Object.entries(value).map(([name, each]) => [name, shapeOf(each, `${path}.${name}`)]),
    );
  }

  function encoded(_name: string, value: unknown): unknown {
    if (!(value instanceof ArrayBuffer) && !ArrayBuffer.isView(value)) return value;
    const bytes =
      value instanceof ArrayBuffer
        ? new Uint8Array(value)
        : new Uint8Array(value.buffer, value.byteOffset, value.byteLength);
    return { bytesOfTheStandIn: btoa(Array.from(bytes, byte => String.fromCharCode(byte)).join('')) };
  }

  const electron = { contextBridge, ipcRenderer };
  const exports = {};
  preload(
    name => {
      if (name === 'electron') return electron;
      throw new Error(`module not found: ${name}`);
    },
    {},
    exports,
    { exports },
  );
}
