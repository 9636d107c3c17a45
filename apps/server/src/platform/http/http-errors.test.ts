import type { ErrorCode } from '@drawhouse/contract/core/errors';
import { success } from '@drawhouse/contract/core/primitives';
import { route, type Route } from '@drawhouse/contract/core/route';
import { request as send } from 'node:http';
import type { AddressInfo } from 'node:net';
import fastify, { type FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { CallError, errorSender } from './http-errors.ts';
import { compressAnswers, COMPRESSED } from './request/compression.ts';

const contract = route({
  method: 'GET',
  path: 'draws',
  summary: 'Draws.',
  access: 'public',
  response: z.object(success),
  errors: ['DRAW_STATE'],
});

let app: FastifyInstance;
let undeclared: string[] = [];

beforeAll(() => {
  const sendError = errorSender((at, code) => undeclared.push(`${at.method} ${at.path}: ${code}`));
  app = fastify();
  app.setErrorHandler(sendError);
  app.get('/api/draws', { config: { contract: contract as unknown as Route } }, (request) => {
    throw new CallError((request.query as { code: ErrorCode }).code);
  });
  app.get('/health', () => {
    throw new CallError('HAS_CHILDREN');
  });
});
afterAll(() => app.close());

describe('a failing route', () => {
  const fail = async (url: string): Promise<[number, string[]]> => {
    undeclared = [];
    const { statusCode } = await app.inject(url);
    return [statusCode, undeclared];
  };

  it.each([
    ['DRAW_STATE', 409],
    ['THROTTLED', 429],
    ['NOT_READY', 503],
  ])('with a declared or general error is not reported: %s', async (code, status) =>
    expect(await fail(`/api/draws?code=${code}`)).toEqual([status, []]),
  );

  it.each([
    ['HAS_CHILDREN', 409],
    ['SESSION_ENDED', 401],
    ['OUTCOME_UNKNOWN', 503],
  ])('with any other error is answered and reported: %s', async (code, status) =>
    expect(await fail(`/api/draws?code=${code}`)).toEqual([status, [`GET draws: ${code}`]]),
  );

  it('is not checked if outside the contract', async () => expect(await fail('/health')).toEqual([409, []]));
});

it('reports no failure if the client leaves before a compressed answer', async () => {
  const { promise: hasArrived, resolve: arrive } = Promise.withResolvers<void>();
  const { promise: hasLeft, resolve: leave } = Promise.withResolvers<void>();
  const { promise: failure, resolve: handle } = Promise.withResolvers<unknown>();
  const served = fastify();
  await compressAnswers(served);
  const sendError = errorSender(() => {});
  served.setErrorHandler((error, at, reply) => {
    const answer = sendError(error, at, reply);
    handle({ error: (error as { code?: string }).code, status: reply.statusCode, logged: at.failed });
    return answer;
  });
  served.post('/', { compress: COMPRESSED }, async (_request, reply) => {
    reply.raw.once('close', leave);
    arrive();
    await hasLeft;
    return { text: 'answer '.repeat(100_000) };
  });
  await served.listen();
  const { port } = served.server.address() as AddressInfo;
  const headers = { 'accept-encoding': 'gzip', 'content-type': 'application/json' };
  const call = send({ port, method: 'POST', headers }).once('error', () => {});
  call.end('{}');
  await hasArrived;
  call.destroy();
  expect(await failure).toEqual({ error: 'ERR_STREAM_PREMATURE_CLOSE', status: 200, logged: undefined });
  await served.close();
});
