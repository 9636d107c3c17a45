import { ERRORS } from '@drawhouse/contract/errors';
import { failure } from '@drawhouse/contract/primitives';
import type { Route } from '@drawhouse/contract/route';
import { errorsOf } from '@drawhouse/contract/route-errors';
import * as z from 'zod/mini';

type Json = Record<string, unknown>;

/** A zod schema as JSON Schema draft 7. */
export function jsonSchemaOf(schema: z.ZodMiniType, io: 'input' | 'output'): Json {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { target: 'draft-7', io, unrepresentable: 'any' }) as Json;
  return rest;
}

/** The OpenAPI 3.1 description of the routes, made from the contract alone. */
export function openApiOf(routes: readonly Route[], version: string): Json {
  const paths: Record<string, Json> = {};
  for (const route of routes) {
    const path = `/api/${route.path.replace(/:(\w+)/g, '{$1}')}`;
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operationOf(route) };
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Drawhouse', version, description: 'The calls of the back-office and of the players.' },
    components: { securitySchemes: { token: { type: 'http', scheme: 'bearer' } } },
    paths,
  };
}

function fileAnswer(type: string): Json {
  return { description: 'The file', content: { [type]: { schema: { type: 'string', format: 'binary' } } } };
}

function operationOf(route: Route): Json {
  const query = route.query ? (jsonSchemaOf(route.query, 'input') as { properties?: Json; required?: string[] }) : {};
  const parameters = [
    ...Object.entries(route.params ?? {}).map(([name, schema]) => ({
      name,
      in: 'path',
      required: true,
      schema: jsonSchemaOf(schema, 'input'),
    })),
    ...Object.entries(query.properties ?? {}).map(([name, schema]) => ({
      name,
      in: 'query',
      required: query.required?.includes(name) ?? false,
      schema,
    })),
  ];
  const answer = (description: string, schema: z.ZodMiniType): Json => ({
    description,
    content: { 'application/json': { schema: jsonSchemaOf(schema, 'output') } },
  });
  const failures = Object.groupBy(errorsOf(route), (code) => ERRORS[code].status);
  return {
    tags: [route.path.split('/')[0]],
    summary: route.summary,
    ...(route.access !== 'public' && { security: [{ token: [] }] }),
    parameters,
    ...(route.body && {
      requestBody: { required: true, content: { 'application/json': { schema: jsonSchemaOf(route.body, 'input') } } },
    }),
    responses: {
      [route.status ?? 200]: route.file === undefined ? answer('Success', route.response) : fileAnswer(route.file),
      ...Object.fromEntries(
        Object.entries(failures).map(([status, list]) => [status, answer([...new Set(list)].join(', '), failure)]),
      ),
    },
  };
}
