import { documentationStyle } from './documentation-style.ts';
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

export interface DocumentationOptions {
  /** The path that serves `css`. */
  stylesheet?: string;
}

/**
 * The interface as one page that works offline: no script, nothing from another host, one stylesheet. Every operation
 * has its `operationId` as anchor, every record `schema-<Name>`.
 */
export function documentationPage(
  document: OpenApiDocument,
  options: DocumentationOptions = {},
): { html: string; css: string } {
  const { stylesheet = '/docs/style.css' } = options;
  const { info, tags, components } = document;
  const base = document.servers[0]?.url ?? '';
  const entries = listEntries(document);
  const sections = tags.map(tag => ({
    ...tag,
    entries: entries.filter(({ operation }) => operation.tags[0] === tag.name),
  }));
  const bodies = bodyNames(entries);
  const records = Object.entries(components.schemas).filter(([name]) => !bodies.has(name));
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${info.title} interface ${info.version}</title>
<link rel="stylesheet" href="${stylesheet}">
</head>
<body>
<nav aria-label="Contents">
<a href="#top"><strong>${info.title} ${info.version}</strong></a>
<ul>${join(sections, contentsOf)}
<li><a href="#errors">Errors</a></li>
<li><a href="#records">Records</a></li></ul>
</nav>
<main id="top">
<h1>${info.title} interface <small>${info.version}</small></h1>
<p>${info.summary}</p>
${join(info.description.split('\n\n'), paragraph => html`<p>${words(paragraph)}</p>`)}
<p>Addresses begin with <code>${base}</code>. For programs, <code>${base}/openapi.json</code> says the same as
OpenAPI ${document.openapi}; like everything but the status, it needs a token.</p>
<p>In the examples, <code>$BASE</code> is the address of the server, such as <code>${BASE_EXAMPLE}</code>,
and <code>$TOKEN</code> is a token.
<b>*</b> marks what a request must give; an answer always has all of its fields.</p>
${join(
  sections,
  section => html`
<section>
<h2 id="${tagAnchor(section.name)}">${section.name}</h2>
<p>${words(section.description)}</p>
${join(section.entries, entry => operationArticle(entry, document))}
</section>`,
)}
<section>
<h2 id="errors">Errors</h2>
${join(Object.entries(components.responses), errorArticle)}
</section>
<section>
<h2 id="records">Records</h2>
${join(records, ([name, schema]) => recordArticle(name, schema))}
</section>
</main>
</body>
</html>
`;
  return { html: page.text, css: documentationStyle };
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

function contentsOf(section: { name: string; entries: Entry[] }): Html {
  return html`
<li><a href="#${tagAnchor(section.name)}">${section.name}</a>
<ul>${join(
    section.entries.filter(({ method }) => method !== 'PATCH'),
    ({ operation }) =>
      html`<li><a href="#${operation.operationId}">${operation.summary}</a>${markOf(operation)}</li>`,
  )}</ul></li>`;
}

function operationArticle({ method, path, operation }: Entry, document: OpenApiDocument): Html {
  const twin = method === 'PATCH' ? document.paths[path]?.put : undefined;
  return html`
<article id="${operation.operationId}">
<h3><a href="#${operation.operationId}">${operation.summary}</a>${markOf(operation)}</h3>
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
    ? html`<h4>Body</h4>
<p>${type}, ${operation.requestBody.required ? 'required' : 'optional'}. ${operation.requestBody.description}</p>
${body.schema ? fieldTable(unfolded(body.schema, schemas), true) : ''}${exampleOf('Example of the body', body)}`
    : ''
}
<h4>Answers</h4>
${answer ? answerWords(status ?? '', answer) : ''}
<p>Errors: ${join(errorsOf(operation), ([code, name]) => html`<a href="#response-${name}">${code}</a> `)}</p>`;
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
  return html`<h4>Parameters</h4>
<table><thead><tr><th>Name</th><th>In</th><th>Type</th><th>Meaning</th></tr></thead><tbody>
${join(
  parameters,
  each => html`<tr><td><code>${each.name}</code>${each.required ? html` <b title="required">*</b>` : ''}</td>
<td>${each.in}</td><td>${typeWords(each.schema)}</td>
<td>${words(each.description)}${markOf(each)}</td></tr>`,
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
<h3>${name}</h3>
<p>${words(response.description)}</p>
${exampleOf('Example', media ?? {})}
</article>`;
}

function recordArticle(name: string, schema: JsonSchema): Html {
  return html`
<article id="${schemaAnchor(name)}">
<h3>${name}</h3>
${schema.description ? html`<p>${words(schema.description)}</p>` : ''}
${fieldTable(schema, false)}
</article>`;
}

function exampleOf(title: string, { example }: MediaType): Html | '' {
  if (example === undefined) return '';
  const text = typeof example === 'string' ? example : JSON.stringify(example, null, 2);
  return html`<details><summary>${title}</summary><pre><code>${text}</code></pre></details>`;
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

function tagAnchor(name: string): string {
  return `tag-${name.toLowerCase().replaceAll(' ', '-')}`;
}
