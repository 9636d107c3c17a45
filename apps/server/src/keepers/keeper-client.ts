import type { KnownRelease, SignedQuestion } from '@drawhouse/rules/keeper-texts';
import { KEEPER_NAME } from '@drawhouse/rules/keeper-texts';
import type { NamedKeeper } from '@drawhouse/rules/terms';

/** A keeper, or drand, was not reached, or answered what is no answer. */
export class NoAnswer extends Error {}

/** A day of a keeper, as it answers it; nothing of it is checked but its form. */
export interface AnsweredDay {
  readonly day: string;
  readonly size: number;
  readonly root: Buffer;
  readonly signature: Buffer;
}

/** Who a keeper says that it is. */
export interface WhoItIs extends NamedKeeper {
  /** Of the days about today, before which index seeds were released: at none from there on was one. */
  readonly used: ReadonlyMap<string, number>;
}

/** The calls of one keeper. All throw {@link NoAnswer} where none comes in time, or none of its form. */
export interface KeeperClient {
  readonly url: string;
  whoAreYou(): Promise<WhoItIs>;
  /** A day of UTC; null where the keeper has not published it. */
  readDay(day: string): Promise<AnsweredDay | null>;
  /** So many commitments of a day from one on, 32 bytes each. */
  readCommitments(day: string, from: number, count: number): Promise<Buffer[]>;
  /** Asks for seeds, at most {@link MOST_ASKED}, and gives an answer to each, as it came. */
  release(questions: readonly SignedQuestion[], known: KnownRelease | undefined): Promise<unknown[]>;
}

/** How many seeds a keeper is asked for at once, and how many commitments. */
export const MOST_ASKED = 1_000;
/** So many commitments are asked for at once. */
export const MOST_COMMITMENTS = 10_000;

/** Ten thousand commitments are 670 KB; a release with what was kept is less than 2 KB. */
const MOST_BYTES = 4_000_000;
/** So much of what is no answer is told, in characters. */
const MOST_SAID = 200;

/** The calls of the keeper at an address, each of which may take so long. */
export function keeperClient(url: string, timeoutMs: number): KeeperClient {
  const get = (path: string): Promise<unknown> => callJson(`${url}${path}`, { timeoutMs });
  return {
    url,
    async whoAreYou() {
      const { name, publicKey, used } = record(await get('/keeper'));
      if (typeof name !== 'string' || !KEEPER_NAME.test(name)) throw new NoAnswer('the keeper says no name');
      return { name, publicKey: hexOf(publicKey, 32).toString('hex'), used: usedOf(used) };
    },
    async readDay(day) {
      const answer = await callJson(`${url}/days/${day}`, { timeoutMs, nothing: 404 });
      if (answer === null) return null;
      const { size, root, signature } = record(answer);
      if (typeof size !== 'number' || !Number.isSafeInteger(size) || size < 1 || size > 2 ** 31 - 1)
        throw new NoAnswer('the keeper says no size of the day');
      return { day, size, root: hexOf(root, 32), signature: hexOf(signature, 64) };
    },
    async readCommitments(day, from, count) {
      const { commitments } = record(await get(`/days/${day}/commitments?from=${from}&count=${count}`));
      if (!Array.isArray(commitments) || commitments.length !== count)
        throw new NoAnswer(`the keeper says no ${count} commitments`);
      return commitments.map((one) => hexOf(one, 32));
    },
    async release(questions, known) {
      const { results } = record(
        await callJson(`${url}/release`, { timeoutMs, body: { releases: questions, ...(known && { known }) } }),
      );
      if (!Array.isArray(results) || results.length !== questions.length)
        throw new NoAnswer(`the keeper does not answer each of ${questions.length} questions`);
      return results;
    },
  };
}

/** How far the places of days are used up; of one that says nothing of the kind, none are. */
function usedOf(used: unknown): ReadonlyMap<string, number> {
  if (typeof used !== 'object' || used === null) return new Map();
  const counts = Object.entries(used).filter(
    (each): each is [string, number] => Number.isSafeInteger(each[1]) && each[1] >= 0 && each[1] < 2 ** 31,
  );
  return new Map(counts);
}

/** What a GET, or with a body a POST, answers as JSON; null for the status that means that there is nothing. Throws {@link NoAnswer}. */
export async function callJson(
  url: string,
  { timeoutMs, body, nothing }: { readonly timeoutMs: number; readonly body?: unknown; readonly nothing?: number },
): Promise<unknown> {
  try {
    const response = await fetch(url, {
      signal: AbortSignal.timeout(timeoutMs),
      redirect: 'error',
      ...(body !== undefined && {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      }),
    });
    if (response.status === nothing) {
      await response.body?.cancel();
      return null;
    }
    const text = await bounded(response);
    if (response.status !== 200)
      throw new NoAnswer(`it answers ${response.status}: ${sentenceOf(text).slice(0, MOST_SAID)}`);
    return JSON.parse(text) as unknown;
  } catch (error) {
    if (error instanceof NoAnswer) throw error;
    const { name, message, cause } = error as Error;
    const why = name === 'TimeoutError' ? `no answer within ${timeoutMs / 1_000} seconds` : message;
    throw new NoAnswer(cause instanceof Error && cause.message ? `${why}: ${cause.message}` : why, { cause: error });
  }
}

/** What is said in place of an answer: the sentence of a keeper, or whatever stands there instead of one. */
function sentenceOf(text: string): string {
  try {
    const { message } = record(JSON.parse(text));
    return typeof message === 'string' ? message : text;
  } catch {
    return text;
  }
}

async function bounded(response: Response): Promise<string> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of response.body ?? []) {
    size += part.length;
    if (size > MOST_BYTES) throw new NoAnswer(`it answers more than ${MOST_BYTES} bytes`);
    parts.push(part);
  }
  return Buffer.concat(parts).toString('utf8');
}

function record(answer: unknown): Record<string, unknown> {
  if (typeof answer !== 'object' || answer === null) throw new NoAnswer('it answers no object');
  return answer as Record<string, unknown>;
}

/** The bytes of a hex text of that many. Throws {@link NoAnswer}. */
export function hexOf(text: unknown, bytes: number): Buffer {
  if (typeof text !== 'string' || text.length !== bytes * 2 || !/^[0-9a-f]*$/.test(text))
    throw new NoAnswer(`it answers something else than ${bytes} bytes in hex`);
  return Buffer.from(text, 'hex');
}
