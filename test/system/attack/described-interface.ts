import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import type { JsonSchema } from '../../../server/http/openapi/json-schema.ts';
import type {
  OpenApiDocument,
  OpenApiOperation,
  OpenApiParameter,
  OpenApiResponse,
} from '../../../server/http/openapi/openapi-document.ts';
import type { Components } from './generated-value.ts';

/** An operation as the document of a running server describes it. */
export interface DescribedOperation {
  id: string;
  method: string;
  path: string;
  parameters: OpenApiParameter[];
  /** Undefined where there is no body, or one that is not JSON. */
  body: JsonSchema | undefined;
  bodyType: string | undefined;
  bodyExample: unknown;
  isBodyRequired: boolean;
  hasHeader(name: string): boolean;
  responses: OpenApiOperation['responses'];
}

/** An answer as it came. */
export interface ReceivedAnswer {
  status: number;
  type: string;
  text: string;
}

/** Statuses that the document gives no operation in particular, but all of them as `default`; a fault of the server (500) is none. */
const UNDESCRIBED = new Set([400, 403, 405, 408, 413, 414, 415, 429, 431, 501, 503, 507]);

export class DescribedInterface {
  readonly operations: DescribedOperation[];
  readonly components: Components;
  readonly #document: OpenApiDocument;
  readonly #ajv: Ajv2020;
  readonly #validators = new Map<JsonSchema, ValidateFunction>();

  constructor(document: OpenApiDocument) {
    this.#document = document;
    this.components = document.components.schemas;
    this.#ajv = new Ajv2020({ strict: true, allowUnionTypes: true, allErrors: true });
    formats.default(this.#ajv);
    for (const keyword of ['x-extension', 'x-reference', 'x-alias-of']) this.#ajv.addKeyword(keyword);
    for (const [name, schema] of Object.entries(this.components))
      this.#ajv.addSchema(localised(schema), name);
    this.operations = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => this.#describe(path, method, operation)),
    );
  }

  find(method: string, path: string): DescribedOperation | undefined {
    return this.operations.find(operation => operation.method === method && operation.path === path);
  }

  /** How an answer differs from what the document says of it; nothing where it does not. */
  faultsOf(operation: DescribedOperation, { status, type, text }: ReceivedAnswer): string[] {
    const described =
      operation.responses[status] ?? (UNDESCRIBED.has(status) ? operation.responses.default : undefined);
    if (described === undefined) return [`the document has no status ${status} here: ${text.slice(0, 300)}`];
    const { content = {} } = this.#response(described);
    const media = content[type.split(';')[0] ?? ''];
    if (media === undefined) return [`the document has no answer of the type ${type} here`];
    if (!type.includes('json') || media.schema === undefined) return [];
    const value: unknown = JSON.parse(text);
    const validate = this.#validator(media.schema);
    if (validate(value)) return [];
    return (validate.errors ?? []).map(({ instancePath, message }) => {
      return `the document: ${instancePath} ${message}, is ${JSON.stringify(memberAt(value, instancePath))?.slice(0, 200)}`;
    });
  }

  #describe(path: string, method: string, operation: OpenApiOperation): DescribedOperation {
    const parameters = (operation.parameters ?? []).map(each => {
      return '$ref' in each ? this.#document.components.parameters[nameIn(each.$ref)] : each;
    });
    const [[bodyType, body] = []] = Object.entries(operation.requestBody?.content ?? {});
    return {
      id: operation.operationId,
      method: method.toUpperCase(),
      path,
      parameters: parameters.filter(each => each !== undefined && each.in !== 'header') as OpenApiParameter[],
      body: bodyType === 'application/json' ? body?.schema : undefined,
      bodyType,
      bodyExample: body?.example,
      isBodyRequired: operation.requestBody?.required === true,
      hasHeader: name => parameters.some(each => each?.in === 'header' && each.name === name),
      responses: operation.responses,
    };
  }

  #response(response: OpenApiOperation['responses'][string]): OpenApiResponse {
    if (!('$ref' in response)) return response;
    return this.#document.components.responses[nameIn(response.$ref)] ?? { description: '' };
  }

  #validator(schema: JsonSchema): ValidateFunction {
    const known = this.#validators.get(schema);
    if (known) return known;
    const validate = this.#ajv.compile(localised(schema));
    this.#validators.set(schema, validate);
    return validate;
  }
}

/** References as the validator knows the components: by their names. */
function localised(schema: JsonSchema): JsonSchema {
  return JSON.parse(JSON.stringify(schema).replaceAll('"#/components/schemas/', '"'));
}

function nameIn(reference: string): string {
  return reference.slice(reference.lastIndexOf('/') + 1);
}

function memberAt(value: unknown, pointer: string): unknown {
  return pointer
    .split('/')
    .slice(1)
    .reduce<unknown>(
      (at, name) => (at === null || typeof at !== 'object' ? undefined : Reflect.get(at, name)),
      value,
    );
}
