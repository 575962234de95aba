import { describeAnswer, requestOf, type Tried } from './tried-request.ts';

/** The token that was typed in: for this page alone, and nowhere kept. */
let token = '';

/** A button below each operation that opens a form for it. */
export function offerTrying(main: HTMLElement): void {
  const articles = [...main.querySelectorAll<HTMLElement>('article[data-method]')];
  for (const article of articles) {
    const button = document.createElement('button');
    button.type = 'button';
    button.textContent = 'Try it';
    button.setAttribute('aria-label', `Try it: ${article.querySelector('h2')?.textContent ?? ''}`);
    button.addEventListener('click', () => {
      const form = formOf(article);
      button.replaceWith(form);
      form.querySelector('input')?.focus();
    });
    article.append(button);
  }
}

function formOf(article: HTMLElement): HTMLFormElement {
  const form = document.createElement('form');
  form.className = 'try';
  const { method = 'GET', path = '' } = article.dataset;
  const typed = new Map<string, { input: HTMLInputElement; place: string }>();
  const tokenInput = field(form, 'Token', token);
  tokenInput.type = 'password';
  tokenInput.autocomplete = 'off';
  for (const row of article.querySelectorAll<HTMLElement>('tr[data-parameter]')) {
    const { parameter = '', in: place = 'query', example = '', required } = row.dataset;
    const input = field(form, `${parameter} (${place})`, example);
    input.required = required !== undefined;
    typed.set(parameter, { input, place });
  }
  // PATCH has what PUT has, told there.
  for (const [, name = ''] of path.matchAll(/\{(\w+)\}/g)) {
    if (!typed.has(name)) typed.set(name, { input: field(form, `${name} (path)`, ''), place: 'path' });
  }
  const example = article.querySelector<HTMLElement>('pre[data-body]');
  const body = method === 'GET' ? undefined : area(form, example?.textContent ?? '');
  const send = document.createElement('button');
  send.textContent = `Send ${method}`;
  const output = document.createElement('output');
  form.append(send, output);
  let running: AbortController | undefined;
  form.addEventListener('submit', event => {
    event.preventDefault();
    running?.abort();
    running = new AbortController();
    token = tokenInput.value.trim();
    const tried: Tried = {
      method,
      path,
      token,
      values: [...typed].map(([name, { input, place }]) => ({ name, place, value: input.value })),
      body: body?.value ?? '',
      type: example?.dataset.body ?? 'application/json',
    };
    void show(output, tried, running.signal);
  });
  return form;
}

async function show(output: HTMLOutputElement, tried: Tried, signal: AbortSignal): Promise<void> {
  output.textContent = 'Sent …';
  try {
    const { url, init } = requestOf(tried);
    const begun = performance.now();
    const response = await fetch(url, { ...init, signal });
    const text = await describeAnswer(response, performance.now() - begun);
    if (signal.aborted) return;
    const shown = document.createElement('pre');
    shown.tabIndex = 0;
    shown.textContent = text;
    output.replaceChildren(shown);
  } catch (error) {
    if (!signal.aborted) output.textContent = `It was not answered: ${String(error)}`;
  }
}

function field(form: HTMLFormElement, name: string, value: string): HTMLInputElement {
  return labelled(form, name, Object.assign(document.createElement('input'), { value }));
}

function area(form: HTMLFormElement, value: string): HTMLTextAreaElement {
  return labelled(
    form,
    'Body',
    Object.assign(document.createElement('textarea'), { value, spellcheck: false }),
  );
}

function labelled<Control extends HTMLElement>(
  form: HTMLFormElement,
  name: string,
  control: Control,
): Control {
  const label = document.createElement('label');
  label.append(name, control);
  form.append(label);
  return control;
}
