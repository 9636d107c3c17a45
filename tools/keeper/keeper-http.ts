import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { isSignedTime, questionProblem } from '@drawhouse/rules/keeper-texts';
import type { KnownRelease, ReleaseQuestion, SignedQuestion } from '@drawhouse/rules/keeper-texts';
import { boundConnections } from '../bound-connections.ts';
import type { KeeperDays, PublishedDay } from './keeper-days.ts';
import type { Identity } from './keeper-identity.ts';
import type { ReleaseDesk } from './release-desk.ts';

/** A thousand questions have less than half of it. */
const MOST_BODY_BYTES = 1024 * 1024;
const MOST_RELEASES = 1_000;
const MOST_COMMITMENTS = 10_000;
/** The server that asks has a few connections, and leaves others theirs. */
const BOUNDS = { ofOneAddress: 20, requestMs: 30_000 };
/** What is published never changes. */
const FOR_EVER = 'public, max-age=31536000, immutable';
const SIGNATURE = /^[0-9a-f]{128}$/;

/** A refusal of a whole call. */
class Refused extends Error {
  readonly status: number;
  readonly code: string;

  constructor(status: number, code: string, message: string) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

const invalid = (message: string): Refused => new Refused(400, 'VALIDATION', message);

/** What a keeper answers by. */
export interface KeeperParts {
  readonly identity: Identity;
  readonly days: KeeperDays;
  readonly desk: ReleaseDesk;
  /** Told of a call that failed by itself. */
  readonly noted: (error: Error) => void;
}

interface Answer {
  readonly body: unknown;
  readonly isForEver?: boolean;
}

/** The HTTP interface of a keeper: JSON both ways, nothing else. */
export function createKeeperServer(parts: KeeperParts): Server {
  const server = createServer((request, response) => void answer(parts, request, response));
  boundConnections(server, BOUNDS);
  return server;
}

async function answer(parts: KeeperParts, request: IncomingMessage, response: ServerResponse): Promise<void> {
  try {
    const { body, isForEver = false } = await route(parts, request);
    send(response, 200, body, isForEver ? FOR_EVER : 'no-store');
  } catch (error) {
    if (error instanceof Refused) {
      // What of the body was not read is not waited for.
      if (!request.complete) response.setHeader('connection', 'close');
      send(response, error.status, { code: error.code, message: error.message }, 'no-store');
      return;
    }
    send(response, 500, { code: 'FAILED', message: 'The keeper could not read or write its folder.' }, 'no-store');
    parts.noted(error as Error);
  }
}

function send(response: ServerResponse, status: number, body: unknown, caching: string): void {
  const text = `${JSON.stringify(body)}\n`;
  response.writeHead(status, { 'content-type': 'application/json; charset=utf-8', 'cache-control': caching });
  response.end(text);
}

async function route(parts: KeeperParts, request: IncomingMessage): Promise<Answer> {
  const url = URL.parse(request.url ?? '/', 'http://keeper');
  if (!url) throw invalid('The path can’t be read. There are /keeper, /days/{day} and /release.');
  if (url.pathname === '/release') {
    if (request.method !== 'POST') throw new Refused(405, 'METHOD_NOT_ALLOWED', '/release takes POST.');
    return { body: await release(parts, request) };
  }
  const day = /^\/days\/(\d{4}-\d{2}-\d{2})(?:\/(commitments|path))?$/.exec(url.pathname);
  if (url.pathname !== '/keeper' && !day)
    throw new Refused(
      404,
      'NOT_FOUND',
      'There are /keeper, /days/{day}, /days/{day}/commitments, /days/{day}/path and /release.',
    );
  if (request.method !== 'GET') throw new Refused(405, 'METHOD_NOT_ALLOWED', `${url.pathname} takes GET.`);
  if (!day) return { body: whoItIs(parts) };
  return { body: await ofDay(parts, day[1]!, day[2], url.searchParams), isForEver: true };
}

function whoItIs({ identity, desk, days }: KeeperParts): unknown {
  const { name, publicKey, operators } = identity;
  // A server whose database was put back learns by it which places draws had before.
  const used = Object.fromEntries(days.opened().map(({ stored, journal }) => [stored.day, journal.used]));
  return { name, publicKey, operator: operators.at(-1), olderCopy: desk.olderCopy ?? null, used };
}

async function ofDay(
  { days }: KeeperParts,
  name: string,
  part: string | undefined,
  query: URLSearchParams,
): Promise<unknown> {
  const day = await days.published(name);
  if (!day) throw new Refused(404, 'NOT_PUBLISHED', `day: ${name} is none that this keeper has published.`);
  const { size, root, signature } = day.stored;
  if (part === 'commitments') return { commitments: await commitmentsOf(day, query) };
  if (part === 'path') {
    const index = countOf(query, 'index', undefined, size - 1);
    return { path: day.seeds.path(index, day.stored.nodes).map(hexOf) };
  }
  return { day: name, size, root, signature };
}

async function commitmentsOf({ seeds, stored }: PublishedDay, query: URLSearchParams): Promise<string[]> {
  const from = countOf(query, 'from', 0, stored.size);
  const count = countOf(query, 'count', MOST_COMMITMENTS, MOST_COMMITMENTS);
  return (await seeds.commitments(from, count)).map(hexOf);
}

const hexOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');

function countOf(query: URLSearchParams, field: string, otherwise: number | undefined, most: number): number {
  const text = query.get(field);
  if (text === null && otherwise !== undefined) return otherwise;
  const count = text !== null && /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
  if (!(count <= most)) throw invalid(`${field} must be a whole number from 0 to ${most}.`);
  return count;
}

async function release({ desk }: KeeperParts, request: IncomingMessage): Promise<unknown> {
  const body = await readBody(request);
  if (!isRecord(body)) throw invalid('The body must be {"releases": [...]}.');
  const { releases, known } = body;
  if (!Array.isArray(releases) || releases.length > MOST_RELEASES)
    throw invalid(`releases must be a list of at most ${MOST_RELEASES} questions.`);
  const questions = releases.map((each, at) => readSigned(each, `releases[${at}]`));
  try {
    return { results: await desk.release(questions, known === undefined ? undefined : readKnown(known)) };
  } catch (error) {
    throw error instanceof RangeError ? invalid(error.message) : error;
  }
}

function readSigned(json: unknown, where: string): SignedQuestion {
  return { ...readQuestion(json, where), operatorSignature: readSignature(json, where, 'operatorSignature') };
}

function readKnown(json: unknown): KnownRelease {
  const releasedAt = isRecord(json) ? json['releasedAt'] : undefined;
  const question = readQuestion(json, 'known');
  if (!isSignedTime(releasedAt)) throw invalid('known.releasedAt is a time such as 2026-11-26T12:00:00.000Z.');
  return { ...question, releasedAt, signature: readSignature(json, 'known', 'signature') };
}

function readQuestion(json: unknown, where: string): ReleaseQuestion {
  if (!isRecord(json)) throw invalid(`${where} must be an object.`);
  const { day, index, drawId, closesAt, commitment, tickets, ticketRoot } = json;
  const question = { day, index, drawId, closesAt, commitment, tickets, ticketRoot } as ReleaseQuestion;
  const problem = questionProblem(question);
  if (problem !== null) throw invalid(`${where}.${problem}`);
  return question;
}

function readSignature(json: unknown, where: string, field: string): string {
  const signature = isRecord(json) ? json[field] : undefined;
  if (typeof signature !== 'string' || !SIGNATURE.test(signature))
    throw invalid(`${where}.${field} is 128 hex digits in lower case.`);
  return signature;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

async function readBody(request: IncomingMessage): Promise<unknown> {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of request as AsyncIterable<Buffer>) {
    bytes += part.length;
    if (bytes > MOST_BODY_BYTES)
      throw new Refused(413, 'TOO_LARGE', `The body must have at most ${MOST_BODY_BYTES} bytes.`);
    parts.push(part);
  }
  try {
    return JSON.parse(Buffer.concat(parts).toString('utf8')) as unknown;
  } catch {
    throw invalid('The body must be JSON.');
  }
}
