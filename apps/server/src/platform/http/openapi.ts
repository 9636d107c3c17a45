import { isForKeys } from '@drawhouse/contract/core/permissions';
import { API_KEY_PREFIX } from '@drawhouse/contract/api-keys/api-keys';
import { ERRORS } from '@drawhouse/contract/core/errors';
import { failure } from '@drawhouse/contract/core/primitives';
import {
  ELEVATION_HEADER,
  ELEVATION_MINUTES,
  PASSWORD_HEADER,
  RECENT_MINUTES,
  errorsOf,
  needsElevation,
  type Route,
  type RouteFiles,
  type SensitiveLevel,
} from '@drawhouse/contract/core/route';
import { memoizeByObject } from '@drawhouse/rules/memoize';
import * as z from 'zod/mini';

type Json = Record<string, unknown>;

const jsonSchemas = { input: schemasFor('input'), output: schemasFor('output') };

/** JSON Schema draft 7, cached. Do not mutate. */
export function jsonSchemaOf(schema: z.ZodMiniType, io: 'input' | 'output'): Json {
  return jsonSchemas[io](schema);
}

function schemasFor(io: 'input' | 'output'): (schema: z.ZodMiniType) => Json {
  return memoizeByObject((schema) => {
    const { $schema: _, ...rest } = z.toJSONSchema(schema, { target: 'draft-7', io, unrepresentable: 'any' }) as Json;
    return rest;
  });
}

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
        'The calls of the back-office and the players. Points are JSON numbers with at most two decimals and ' +
        'all digits. Read large sums as decimals: a double holds only 15 digits.',
    },
    components: { securitySchemes: SECURITY },
    paths,
  };
}

const SECURITY = {
  token: { type: 'http', scheme: 'bearer', description: 'The session token, as answered by `auth/login`.' },
  apiKey: { type: 'http', scheme: 'bearer', description: `An API key of a network, ${API_KEY_PREFIX}…` },
} as const;

function securityOf(route: Route): Json {
  const { access, apiKeys } = route;
  if (access === 'public') return {};
  return { security: [{ token: [] }, ...(apiKeys === true || isForKeys(route) ? [{ apiKey: [] }] : [])] };
}

function fileAnswer(type: string): Json {
  return { description: 'The file', content: { [type]: { schema: BINARY } } };
}

const BINARY = { type: 'string', format: 'binary' } as const;

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

const BY_TOKEN: Readonly<Record<SensitiveLevel, string>> = {
  result: 'can make this call while it lasts, and an elevation lasts as long',
  spec: 'can make this call while it lasts',
  recent: `can make this call within ${RECENT_MINUTES} minutes of its sign-in`,
  elevation: "can't make this call",
};

function sensitivityOf(route: Route): Json {
  if (!needsElevation(route)) return {};
  const sensitive = route.sensitive as Exclude<Route['sensitive'], false | 'asks' | undefined>;
  const { level, fields } = typeof sensitive === 'object' ? sensitive : { level: sensitive, fields: {} };
  const stricter = Object.entries(fields).map(([field, its]) => `With \`${field}\` it ${BY_TOKEN[its!]}.`);
  const description = [
    `Sensitive: send \`${ELEVATION_HEADER}\` or \`${PASSWORD_HEADER}\`, else CONFIRM_PASSWORD.`,
    `A session opened without an elevation ${BY_TOKEN[level]}.`,
    ...stricter,
  ].join(' ');
  return { description, 'x-sensitive': { level, fields } };
}

const SENSITIVE_HEADERS = [
  {
    name: ELEVATION_HEADER,
    in: 'header',
    required: false,
    description:
      `The secret answered by \`auth/login\` (with \`elevation: true\`) or \`auth/confirm\`. It expires ` +
      `${ELEVATION_MINUTES.idle} minutes after its last use, and after ${ELEVATION_MINUTES.most} minutes at most.`,
    schema: { type: 'string' },
  },
  {
    name: PASSWORD_HEADER,
    in: 'header',
    required: false,
    description: "The caller's own password in UTF-8, instead of an elevation. Wrong ones count as failed sign-ins.",
    schema: { type: 'string' },
  },
] as const;

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
    ...(needsElevation(route) ? SENSITIVE_HEADERS : []),
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
    ...sensitivityOf(route),
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
