import type { JsonSchema } from './json-schema.ts';

/** The parts of OpenAPI 3.1 that this interface is described with. */
export interface OpenApiDocument {
  openapi: string;
  info: {
    title: string;
    version: string;
    summary: string;
    description: string;
    contact: { name: string };
    license: { name: string; identifier: string };
  };
  servers: { url: string; description: string }[];
  security: SecurityRequirement[];
  tags: { name: string; description: string }[];
  paths: Record<string, Partial<Record<'get' | 'post' | 'put' | 'patch', OpenApiOperation>>>;
  components: {
    schemas: Record<string, JsonSchema>;
    responses: Record<string, OpenApiResponse>;
    headers: Record<string, OpenApiHeader>;
    examples?: Record<string, { value: unknown }>;
    parameters: Record<string, OpenApiParameter>;
    securitySchemes: Record<string, Record<string, string>>;
  };
}

export type SecurityRequirement = Record<string, string[]>;

export interface OpenApiOperation {
  operationId: string;
  tags: string[];
  summary: string;
  description: string;
  deprecated?: true;
  security?: SecurityRequirement[];
  parameters?: (OpenApiParameter | Reference)[];
  requestBody?: { required: boolean; description?: string; content: Record<string, MediaType> };
  responses: Record<string, OpenApiResponse | Reference>;
  /** The scope that a token needs; none where anybody may call. */
  'x-scope'?: string;
  /** Statuses of refusals that say something of the operation; all others can come as well. */
  'x-errors'?: number[];
  /** Section of the interface document. */
  'x-section'?: string;
  'x-extension'?: true;
}

export interface Reference {
  $ref: string;
}

export interface OpenApiParameter {
  name: string;
  in: 'path' | 'query' | 'header';
  required: boolean;
  description?: string;
  schema: JsonSchema;
  style?: 'deepObject' | 'form';
  explode?: boolean;
  example?: unknown;
  examples?: Record<string, Reference | { value: unknown }>;
  'x-extension'?: true;
}

export interface OpenApiHeader {
  description: string;
  schema: JsonSchema;
}

export interface OpenApiResponse {
  description: string;
  headers?: Record<string, Reference>;
  content?: Record<string, MediaType>;
  links?: Record<string, OpenApiLink>;
}

export interface MediaType {
  schema?: JsonSchema;
  example?: unknown;
  examples?: Record<string, Reference | { value: unknown }>;
}

/** From an answer to an operation that takes something of it. */
export interface OpenApiLink {
  operationId: string;
  parameters: Record<string, string>;
}
