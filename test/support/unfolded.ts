import type { JsonSchema } from '../../server/http/openapi/json-schema.ts';
import type {
  MediaType,
  OpenApiDocument,
  OpenApiOperation,
  Reference,
} from '../../server/http/openapi/openapi-document.ts';

/**
 * The document for programs as tests read it: what a schema has from another one (`allOf`) stands in it, each refusal that an
 * operation names has its response, and examples stand where they are used. The document for readers stays as it is.
 */
export function unfolded(document: OpenApiDocument): OpenApiDocument {
  const { schemas } = document.components;
  const whole = Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => [name, wholeSchema(schema, schemas)]),
  );
  const paths = Object.fromEntries(
    Object.entries(document.paths).map(([path, methods]) => [
      path,
      Object.fromEntries(
        Object.entries(methods).map(([method, operation]) => [method, wholeOperation(operation, document)]),
      ),
    ]),
  );
  return { ...document, paths, components: { ...document.components, schemas: whole } };
}

function wholeSchema(schema: JsonSchema, schemas: Record<string, JsonSchema>): JsonSchema {
  // What has nothing of its own is another one.
  if (schema.$ref !== undefined) return wholeSchema(schemas[lastOf(schema.$ref)] ?? {}, schemas);
  if (!schema.allOf) return schema;
  const { allOf, ...rest } = schema;
  const parts = allOf.map(part =>
    wholeSchema(part.$ref === undefined ? part : (schemas[lastOf(part.$ref)] ?? {}), schemas),
  );
  return {
    ...Object.assign({}, ...parts),
    ...rest,
    properties: Object.assign({}, ...parts.map(({ properties }) => properties)),
    required: parts.flatMap(({ required = [] }) => required),
  };
}

function wholeOperation(operation: OpenApiOperation, document: OpenApiDocument): OpenApiOperation {
  const { parameters, requestBody, responses } = operation;
  const refusal = responses['4XX'];
  const own = (operation['x-errors'] ?? []).map(status => [status, refusal]);
  return {
    ...operation,
    ...(parameters && {
      parameters: parameters.map(each => ('$ref' in each ? each : withExample(each, document))),
    }),
    ...(requestBody && {
      requestBody: {
        ...requestBody,
        content: Object.fromEntries(
          Object.entries(requestBody.content).map(([type, media]) => [type, withExample(media, document)]),
        ),
      },
    }),
    responses: { ...responses, ...Object.fromEntries(own) },
  };
}

function withExample<Of extends Pick<MediaType, 'example' | 'examples'>>(
  of: Of,
  document: OpenApiDocument,
): Of {
  const one: Reference | { value: unknown } | undefined = of.examples?.one;
  if (!one) return of;
  const example = '$ref' in one ? document.components.examples?.[lastOf(one.$ref)] : one;
  return { ...of, example: example?.value };
}

function lastOf(reference: string): string {
  return reference.slice(reference.lastIndexOf('/') + 1);
}
