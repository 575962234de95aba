import { documentationStyle } from './documentation-style.ts';
import { type Guide, guidePages } from './guide-pages.ts';
import { type Html, html, join, words } from './html.ts';
import { type JsonSchema, nameOf, resolve } from './json-schema.ts';
import type {
  MediaType,
  OpenApiDocument,
  OpenApiOperation,
  OpenApiParameter,
  OpenApiResponse,
  Reference,
} from './openapi-document.ts';
import { fieldTable, schemaAnchor, typeWords } from './schema-table.ts';

/**
 * The interface as pages that work offline, by their names below `/docs`: guides, one for each family, `schemas`, `errors`, and the
 * beginning under an empty name. Nothing comes from another host. Every operation has its `operationId` as anchor, every
 * record `schema-<Name>`. The script finds and sends; without it all can be read.
 */
export function documentationPages(document: OpenApiDocument): { pages: Map<string, string>; css: string } {
  const { tags, components } = document;
  const entries = listEntries(document);
  const sections = tags.map(tag => ({
    ...tag,
    entries: entries.filter(({ operation }) => operation.tags[0] === tag.name),
  }));
  const bodies = bodyNames(entries);
  const records = Object.entries(components.schemas).filter(([name]) => !bodies.has(name));
  const guides = guidePages();
  const pageOf = (name: string, title: string, main: Html) =>
    [name, framed({ document, guides, sections, name, title, main })] as const;
  const pages = new Map([
    pageOf('', 'Interface', beginning(document, guides, sections)),
    ...guides.map(({ page, title, main }) => pageOf(page, title, main)),
    ...sections.map(section => pageOf(slugOf(section.name), section.name, sectionPage(section, document))),
    pageOf(
      'schemas',
      'Schemas',
      html`<h1>Schemas</h1>${join(records, ([name, schema]) => recordArticle(name, schema))}`,
    ),
    pageOf(
      'errors',
      'Errors',
      html`<h1>Errors</h1>${join(Object.entries(components.responses), errorArticle)}`,
    ),
  ]);
  return { pages, css: documentationStyle };
}

interface Section {
  name: string;
  description: string;
  entries: Entry[];
}

interface Framed {
  document: OpenApiDocument;
  guides: readonly Guide[];
  sections: readonly Section[];
  /** Of the page. */
  name: string;
  title: string;
  main: Html;
}

function framed({ document: { info }, guides, sections, name, title, main }: Framed): string {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · ${info.title} interface ${info.version}</title>
<link rel="stylesheet" href="/docs/style.css">
<script type="module" src="/docs/docs.js"></script>
</head>
<body>
<a class="skip" href="#top">To the text</a>
<nav aria-label="Contents">
<a href="/docs"><strong>${info.title} ${info.version}</strong></a>
<ul>${join(guides, guide => html`<li data-find="${guide.words}"><a href="/docs/${guide.page}"${currentOf(name === guide.page)}>${guide.title}</a></li>`)}
${join(sections, section => contentsOf(section, name))}
<li><a href="/docs/errors"${currentOf(name === 'errors')}>Errors</a></li>
<li><a href="/docs/schemas"${currentOf(name === 'schemas')}>Schemas</a></li></ul>
</nav>
<main id="top">
${main}
</main>
</body>
</html>
`.text;
}

function currentOf(isCurrent: boolean): Html {
  return isCurrent ? html` aria-current="page"` : html``;
}

function beginning(document: OpenApiDocument, guides: readonly Guide[], sections: readonly Section[]): Html {
  const { info } = document;
  const base = document.servers[0]?.url ?? '';
  return html`
<h1>${info.title} interface <small>${info.version}</small></h1>
<p>${info.summary}</p>
${join(info.description.split('\n\n'), paragraph => html`<p>${words(paragraph)}</p>`)}
<p>Addresses begin with <code>${base}</code>. For programs, <code>${base}/openapi.json</code> says the same as
OpenAPI ${document.openapi}; on this machine it needs no token.</p>
<p>In the examples, <code>$BASE</code> is the address of the server, such as <code>${BASE_EXAMPLE}</code>,
and <code>$TOKEN</code> is a token.
<b>*</b> marks what a request must give; an answer always has all of its fields.</p>
<h2>Guides</h2>
<ul>${join(guides, ({ page, title }) => html`<li><a href="/docs/${page}">${title}</a></li>`)}</ul>
<h2>Operations</h2>
<table><thead><tr><th>Page</th><th>What is there</th></tr></thead><tbody>
${join(
  sections,
  ({ name, description }) =>
    html`<tr><td><a href="/docs/${slugOf(name)}">${name}</a></td><td>${words(description)}</td></tr>`,
)}</tbody></table>`;
}

function sectionPage({ name, description, entries }: Section, document: OpenApiDocument): Html {
  return html`<h1>${name}</h1>
<p>${words(description)}</p>
${join(entries, entry => operationArticle(entry, document))}`;
}

const BASE_EXAMPLE = '127.0.0.1:4870';

interface Entry {
  method: string;
  path: string;
  operation: OpenApiOperation;
}

function listEntries(document: OpenApiDocument): Entry[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  );
}

function contentsOf({ name, entries }: Section, page: string): Html {
  const slug = slugOf(name);
  return html`
<li><details${slug === page ? html` open=""` : html``}><summary>${name}</summary>
<ul><li><a href="/docs/${slug}"${currentOf(slug === page)}>The whole page</a></li>${join(
    entries.filter(({ method }) => method !== 'PATCH'),
    ({ method, path, operation }) =>
      html`<li data-find="${method} ${path}"><a href="/docs/${slug}#${operation.operationId}">${operation.summary}</a>${markOf(operation)}</li>`,
  )}</ul></details></li>`;
}

function operationArticle({ method, path, operation }: Entry, document: OpenApiDocument): Html {
  const twin = method === 'PATCH' ? document.paths[path]?.put : undefined;
  const base = document.servers[0]?.url ?? '';
  return html`
<article id="${operation.operationId}" data-method="${method}" data-path="${base}${path}">
<h2><a href="#${operation.operationId}">${operation.summary}</a>${markOf(operation)}</h2>
<p class="call"><b class="${method.toLowerCase()}">${method}</b> <code>${path}</code></p>
<p>${words(operation.description)}</p>
${twin ? html`<p>Parameters, body and answers are those of <a href="#${twin.operationId}">PUT</a>.</p>` : ''}
${twin ? '' : operationDetails(operation, document)}
<pre><code>${curlOf(method, path, operation, document)}</code></pre>
</article>`;
}

function operationDetails(operation: OpenApiOperation, document: OpenApiDocument): Html {
  const { schemas } = document.components;
  const [type, body] = Object.entries(operation.requestBody?.content ?? {})[0] ?? [];
  const [status, success] = Object.entries(operation.responses)[0] ?? [];
  const answer = success && !('$ref' in success) ? success : undefined;
  return html`
${parameterTable(operation, document)}
${
  body && operation.requestBody
    ? html`<h3>Body</h3>
<p>${type}, ${operation.requestBody.required ? 'required' : 'optional'}. ${operation.requestBody.description}</p>
${body.schema ? fieldTable(unfolded(body.schema, schemas), true) : ''}${exampleOf('Example of the body', body, type)}`
    : ''
}
<h3>Answers</h3>
${answer ? answerWords(status ?? '', answer) : ''}
<p>Errors: ${join(errorsOf(operation), ([code, name]) => html`<a href="/docs/errors#response-${name}">${code}</a> `)}</p>`;
}

function answerWords(status: string, answer: OpenApiResponse): Html {
  const [type, media] = Object.entries(answer.content ?? {})[0] ?? [];
  const headers = Object.keys(answer.headers ?? {}).join(', ');
  const data = media?.schema?.properties?.data;
  const meta = media?.schema?.properties?.meta;
  return html`<p><b>${status}</b> ${type}. ${data ? html`<code>data</code>: ${typeWords(data)}.` : ''}
${meta?.$ref ? html`<code>meta</code>: ${typeWords(meta)}.` : ''}
${!data && media?.schema?.$ref ? typeWords(media.schema) : ''} Headers: ${headers}.</p>
${data ? fieldTable(data, false) : ''}${exampleOf('Example of the answer', media ?? {})}`;
}

/** A body's component has its table here and nowhere else. */
function unfolded(schema: JsonSchema, schemas: Record<string, JsonSchema>): JsonSchema {
  return resolve(schema.items ?? schema, schemas);
}

function markOf(operation: OpenApiOperation | OpenApiParameter): Html | '' {
  return operation['x-extension'] ? html` <em class="extension">extension</em>` : '';
}

/** Names of the components that are the bodies of requests. */
function bodyNames(entries: readonly Entry[]): Set<string> {
  const schemas = entries.flatMap(({ operation }) => Object.values(operation.requestBody?.content ?? {}));
  return new Set(schemas.map(({ schema }) => nameOf(schema?.items?.$ref ?? schema?.$ref ?? '')));
}

function errorsOf(operation: OpenApiOperation): [string, string][] {
  return Object.entries(operation.responses).flatMap(([status, response]): [string, string][] =>
    '$ref' in response ? [[status === 'default' ? 'other' : status, nameOf(response.$ref)]] : [],
  );
}

function parameterTable(operation: OpenApiOperation, document: OpenApiDocument): Html | '' {
  const parameters = (operation.parameters ?? []).map(parameter => resolveParameter(parameter, document));
  if (parameters.length === 0) return '';
  return html`<h3>Parameters</h3>
<table><thead><tr><th>Name</th><th>In</th><th>Type</th><th>Meaning</th></tr></thead><tbody>
${join(
  parameters,
  each => html`<tr data-parameter="${each.name}" data-in="${each.in}" data-example="${exampleText(each)}"${each.required ? html` data-required=""` : html``}><td><code>${each.name}</code>${each.required ? html` <b title="required">*</b>` : ''}</td>
<td>${each.in}</td><td>${typeWords(each.schema)}</td>
<td>${words(each.description ?? '')}${markOf(each)}</td></tr>`,
)}</tbody></table>`;
}

function resolveParameter(
  parameter: OpenApiParameter | Reference,
  document: OpenApiDocument,
): OpenApiParameter {
  if (!('$ref' in parameter)) return parameter;
  const named = document.components.parameters[nameOf(parameter.$ref)];
  if (!named) throw new Error(`There is no parameter ${parameter.$ref}.`);
  return named;
}

function errorArticle([name, response]: [string, OpenApiResponse]): Html {
  const media = response.content?.['application/json'];
  return html`
<article id="response-${name}">
<h2>${name}</h2>
<p>${words(response.description)}</p>
${exampleOf('Example', media ?? {})}
</article>`;
}

function recordArticle(name: string, schema: JsonSchema): Html {
  return html`
<article id="${schemaAnchor(name)}">
<h2>${name}</h2>
${schema.description ? html`<p>${words(schema.description)}</p>` : ''}
${fieldTable(schema, false)}
</article>`;
}

/** @param type of a body that is sent */
function exampleOf(title: string, { example }: MediaType, type?: string): Html | '' {
  if (example === undefined) return '';
  const text = typeof example === 'string' ? example : JSON.stringify(example, null, 2);
  const body = type === undefined ? html`` : html` data-body="${type}"`;
  return html`<details><summary>${title}</summary><pre${body}><code>${text}</code></pre></details>`;
}

/** What a form of the parameter begins with: what the path must have, and nothing else. */
function exampleText({ in: where, required, example }: OpenApiParameter): string {
  return (where === 'path' || required) && example !== undefined ? String(example) : '';
}

/** One line for a shell; a body as what it is, quoted for the shell. */
function curlOf(
  method: string,
  path: string,
  operation: OpenApiOperation,
  document: OpenApiDocument,
): string {
  const parameters = (operation.parameters ?? []).map(parameter => resolveParameter(parameter, document));
  const query = parameters.filter(each => each.in === 'query' && each.required);
  const filled = path.replace(/\{(\w+)\}/g, (_match, name: string) =>
    String(parameters.find(each => each.in === 'path' && each.name === name)?.example ?? name),
  );
  const search = new URLSearchParams(
    query.map((each): [string, string] => [each.name, String(each.example)]),
  ).toString();
  const base = document.servers[0]?.url ?? '';
  const [type, media] = Object.entries(operation.requestBody?.content ?? {})[0] ?? [];
  const lines = [
    `curl${method === 'GET' ? '' : ` -X ${method}`} "http://$BASE${base}${filled}${search && `?${search}`}"`,
  ];
  if (operation.security?.length !== 0) lines.push('-H "Authorization: Bearer $TOKEN"');
  if (media && type === 'application/json') {
    lines.push(
      `-H "Content-Type: ${type}"`,
      `-d '${JSON.stringify(media.example).replaceAll("'", `'\\''`)}'`,
    );
  } else if (media) {
    lines.push(`-H "Content-Type: ${type}"`, '--data-binary @suppliers.csv');
  }
  return lines.join(' \\\n  ');
}

function slugOf(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-');
}
