import { API_KEY_PREFIX } from '@drawhouse/contract/api-keys/api-keys';
import { ERRORS } from '@drawhouse/contract/frame/errors';
import { failure } from '@drawhouse/contract/frame/primitives';
import { CONFIRMED_FOR_MINUTES } from '@drawhouse/contract/frame/route';
import type { Route, RouteFiles } from '@drawhouse/contract/frame/route';
import { errorsOf } from '@drawhouse/contract/frame/route-errors';
import { onceEach } from '@drawhouse/rules/once-each';
import * as z from 'zod/mini';

type Json = Record<string, unknown>;

const jsonSchemas = { input: schemasFor('input'), output: schemasFor('output') };

/** A zod schema as JSON Schema draft 7. It is made once of each, as every route has that of a failure several times: nobody is to change it. */
export function jsonSchemaOf(schema: z.ZodMiniType, io: 'input' | 'output'): Json {
  return jsonSchemas[io](schema);
}

function schemasFor(io: 'input' | 'output'): (schema: z.ZodMiniType) => Json {
  return onceEach((schema) => {
    const { $schema: _, ...rest } = z.toJSONSchema(schema, { target: 'draft-7', io, unrepresentable: 'any' }) as Json;
    return rest;
  });
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
    info: {
      title: 'Drawhouse',
      version,
      description:
        'The calls of the back-office and of the players. Points are JSON numbers with at most two decimals and every digit: a reader that sums large ones takes them as decimals, as a double holds 15 digits.',
    },
    components: { securitySchemes: SECURITY },
    paths,
  };
}

const SECURITY = {
  token: { type: 'http', scheme: 'bearer', description: 'The token of a session, as `auth/login` answers it.' },
  apiKey: { type: 'http', scheme: 'bearer', description: `An API key of a network, ${API_KEY_PREFIX}…` },
} as const;

/** What a call is let in by: a session, or where programs may call it, an API key. */
function securityOf({ access, apiKeys }: Route): Json {
  if (access === 'public') return {};
  return { security: [{ token: [] }, ...(apiKeys === true ? [{ apiKey: [] }] : [])] };
}

function fileAnswer(type: string): Json {
  return { description: 'The file', content: { [type]: { schema: BINARY } } };
}

const BINARY = { type: 'string', format: 'binary' } as const;

/** A body as JSON, and as a form where files may come with it. */
function bodyContent(body: z.ZodMiniType, files: RouteFiles | undefined): Json {
  const schema = jsonSchemaOf(body, 'input');
  if (!files) return { 'application/json': { schema } };
  const parts = Object.entries(files.names).map(([name, most]) => [
    name,
    most === 1 ? BINARY : { type: 'array', items: BINARY, maxItems: most },
  ]);
  const properties = { ...(schema['properties'] as Json), ...Object.fromEntries(parts) };
  return { 'application/json': { schema }, 'multipart/form-data': { schema: { ...schema, properties } } };
}

function describing({ sensitive }: Route): Json {
  if (sensitive === undefined || sensitive === false || sensitive === 'asks') return {};
  const what = sensitive === true ? 'This' : `With any of ${sensitive.map((field) => `\`${field}\``).join(', ')} this`;
  return {
    description: `${what} wants a session whose password was given within ${CONFIRMED_FOR_MINUTES} minutes: else CONFIRM_PASSWORD, and \`auth/confirm\` takes it.`,
  };
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
  const contentType = route.file ?? route.asset;
  const failures = Object.groupBy(errorsOf(route), (code) => ERRORS[code].status);
  return {
    tags: [route.path.split('/')[0]],
    summary: route.summary,
    ...describing(route),
    ...securityOf(route),
    parameters,
    ...(route.body && {
      requestBody: { required: true, content: bodyContent(route.body, route.files) },
    }),
    responses: {
      [route.status ?? 200]: contentType === undefined ? answer('Success', route.response) : fileAnswer(contentType),
      ...Object.fromEntries(
        Object.entries(failures).map(([status, list]) => [status, answer([...new Set(list)].join(', '), failure)]),
      ),
    },
  };
}
