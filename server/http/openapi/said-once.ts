import { mapped } from './mapped.ts';
import type {
  MediaType,
  OpenApiDocument,
  OpenApiOperation,
  OpenApiParameter,
  OpenApiResponse,
  Reference,
} from './openapi-document.ts';
import { sharedSchemas } from './shared-schemas.ts';

/** From so many operations on, what a parameter says stands in the words of the whole document. */
const EVERYWHERE = 10;
const COMMON_LIMIT = 'At most 1 MiB.';

/**
 * The document with everything said in one place, since generators of clients write again wherever something stands: members that
 * are alike, answers and examples become components, words of parameters that many operations have stand in the description of the document, words
 * that say no more than a member's name are left out, and refusals are one response, whose schema says when each status comes.
 */
export function saidOnce(document: OpenApiDocument): OpenApiDocument {
  const words = new Map<string, string>();
  const said = textsOfParameters(document);
  const parameterOf = (parameter: OpenApiParameter | Reference) => {
    if ('$ref' in parameter) return parameter;
    return withoutWords(withExamples(parameter), said, words);
  };
  const examples = { ...document.components.examples };
  const paths = mapped(document.paths, methods =>
    mapped(methods, (operation): OpenApiOperation => {
      const { parameters, requestBody: _said, responses, ...rest } = operation;
      return {
        ...rest,
        ...(parameters && { parameters: parameters.filter(isAsked).map(parameterOf) }),
        ...bodyOf(operation, examples),
        ...refusedAlike(mapped(responses, plainSuccess)),
      };
    }),
  );
  const {
    parameters: { IfNoneMatch: _everywhere, ...asked },
    schemas,
  } = document.components;
  const components = {
    ...document.components,
    examples,
    schemas: sharedSchemas({
      ...schemas,
      ProblemResponse: { ...schemas.ProblemResponse, description: refusals(document) },
    }),
    parameters: mapped(asked, parameter => withoutWords(parameter, said, words)),
  };
  return responsesShared({
    ...document,
    info: { ...document.info, description: `${document.info.description}\n\n${listed(words)}` },
    paths,
    components,
  });
}

/** HTTP has it for every answer with an ETag; the words of the header say so. */
function isAsked(parameter: OpenApiParameter | Reference): boolean {
  return !('$ref' in parameter && parameter.$ref.endsWith('/IfNoneMatch'));
}

/** What parameters say, by how many operations have it. */
function textsOfParameters({ paths, components }: OpenApiDocument): Map<string, number> {
  const texts = new Map<string, number>();
  for (const { parameters = [] } of operationsOf(paths))
    for (const each of parameters) {
      const parameter = '$ref' in each ? components.parameters[lastOf(each.$ref)] : each;
      const text = parameter?.description;
      if (text !== undefined) texts.set(text, (texts.get(text) ?? 0) + 1);
    }
  return texts;
}

function withoutWords(
  { description, ...parameter }: OpenApiParameter,
  said: Map<string, number>,
  words: Map<string, string>,
): OpenApiParameter {
  if (description === undefined) return parameter;
  // The path says whose id it is.
  if (parameter.in === 'path' && /^Id of the [\w ]+\.$/.test(description)) return parameter;
  if ((said.get(description) ?? 0) < EVERYWHERE) return { ...parameter, description };
  words.set(parameter.name, description);
  return parameter;
}

function withExamples({ example, ...parameter }: OpenApiParameter): OpenApiParameter {
  return example === undefined ? parameter : { ...parameter, examples: { one: { value: example } } };
}

function withNamedExample(
  { example, ...media }: MediaType,
  operation: string,
  examples: Record<string, { value: unknown }>,
): MediaType {
  if (example === undefined) return media;
  examples[operation] = { value: example };
  return { ...media, examples: { one: { $ref: `#/components/examples/${operation}` } } };
}

/** A body that has nothing in it is none. */
function bodyOf(
  { requestBody: body, operationId }: OpenApiOperation,
  examples: Record<string, { value: unknown }>,
): Pick<OpenApiOperation, 'requestBody'> {
  if (!body) return {};
  const { required, description, content } = body;
  const schema = content['application/json']?.schema;
  if (!required && schema?.properties && Object.keys(schema.properties).length === 0) return {};
  return {
    requestBody: {
      required,
      ...(description !== undefined && description !== COMMON_LIMIT && { description }),
      content: mapped(content, media => withNamedExample(media, operationId, examples)),
    },
  };
}

/** The status says that it is a success. */
function plainSuccess(response: OpenApiResponse | Reference): OpenApiResponse | Reference {
  if ('$ref' in response) return response;
  const { 'X-Request-Id': _everywhere, ...headers } = response.headers ?? {};
  return { ...response, description: '', headers };
}

/** The operation's own refusals by their statuses, which have one body. */
function refusedAlike(
  responses: OpenApiOperation['responses'],
): Pick<OpenApiOperation, 'responses' | 'x-errors'> {
  const isRefusal = (status: string) => status >= '400';
  const own = Object.keys(responses).filter(status => status !== 'default' && isRefusal(status));
  // Like `If-None-Match`, 304 is HTTP's own.
  const others = Object.entries(responses).filter(([status]) => !isRefusal(status) && status !== '304');
  const other = { $ref: '#/components/responses/OtherError' };
  return {
    responses: { ...Object.fromEntries(others), '4XX': other, default: other },
    ...(own.length > 0 && { 'x-errors': own.map(Number) }),
  };
}

/** When which status comes. */
function refusals({ components, paths }: OpenApiDocument): string {
  const words = new Map<string, string>();
  for (const { responses } of operationsOf(paths))
    for (const [status, response] of Object.entries(responses)) {
      if (!('$ref' in response) || status < '400' || status === 'default') continue;
      const { description = '' } = components.responses[lastOf(response.$ref)] ?? {};
      words.set(status, description);
    }
  const own = [...words].sort(([a], [b]) => (a < b ? -1 : 1)).map(([status, text]) => `${status}: ${text}`);
  const others = components.responses.OtherError?.description ?? '';
  return `A refusal. \`x-errors\` of an operation are the statuses that say something of it. ${own.join(' ')} ${others}`;
}

/** Answers that several operations give. */
function responsesShared(document: OpenApiDocument): OpenApiDocument {
  const count = new Map<string, number>();
  for (const { responses } of operationsOf(document.paths))
    for (const response of Object.values(responses)) {
      const key = JSON.stringify(response);
      if (!('$ref' in response)) count.set(key, (count.get(key) ?? 0) + 1);
    }
  const shared: Record<string, OpenApiResponse> = {};
  const nameOf = new Map<string, string>();
  const refer = (response: OpenApiResponse | Reference): OpenApiResponse | Reference => {
    const key = JSON.stringify(response);
    if ('$ref' in response || (count.get(key) ?? 0) < 2) return response;
    const [media] = Object.values(response.content ?? {});
    const wished = media?.schema?.$ref ? lastOf(media.schema.$ref) : 'Answer';
    let name = nameOf.get(key) ?? wished;
    for (let next = 2; shared[name] && shared[name] !== response && !nameOf.has(key); next += 1)
      name = `${wished}${next}`;
    nameOf.set(key, name);
    shared[name] ??= response;
    return { $ref: `#/components/responses/${name}` };
  };
  const paths = mapped(document.paths, methods =>
    mapped(methods, operation => ({ ...operation, responses: mapped(operation.responses, refer) })),
  );
  const { OtherError: other, Unauthenticated: unknown } = document.components.responses;
  const kept = {
    ...(other && {
      OtherError: { ...other, description: '', headers: { ...other.headers, ...unknown?.headers } },
    }),
  };
  return { ...document, paths, components: { ...document.components, responses: { ...shared, ...kept } } };
}

function listed(words: Map<string, string>): string {
  const lines = [...words].map(([name, text]) => `- \`${name}\`: ${text}`);
  return [
    'A body has at most 1 MiB where nothing else is said. Parameters that many operations have:',
    '',
    ...lines,
  ].join('\n');
}

function operationsOf(paths: OpenApiDocument['paths']): OpenApiOperation[] {
  return Object.values(paths).flatMap(methods => Object.values(methods));
}

function lastOf(reference: string): string {
  return reference.slice(reference.lastIndexOf('/') + 1);
}
