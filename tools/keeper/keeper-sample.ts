import { createHash } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { operatorCloseText } from '@drawhouse/rules/keeper-texts';
import type { KnownRelease, ReleaseAnswer, ReleaseQuestion, SignedQuestion } from '@drawhouse/rules/keeper-texts';
import { makeKey, signerOf } from './keeper-keys.ts';
import { startKeeper } from './start-keeper.ts';
import type { KeeperOptions, RunningKeeper } from './start-keeper.ts';

// What tests of a keeper share: an operator that asks it, and a folder of its own.

/** The key of the server that asks. */
export const OPERATOR = makeKey();
const signAsOperator = signerOf(OPERATOR);

/** The time at which keepers of these tests run unless they say otherwise: noon of 2026-11-26, UTC. */
export const NOON = Date.UTC(2026, 10, 26, 12);
export const TODAY = '2026-11-26';

/** A UUID of version 7 of a time, one for each number. */
export function drawIdAt(timeMs: number, number: number): string {
  const time = timeMs.toString(16).padStart(12, '0');
  const rest = number.toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-${rest}`;
}

/** A root of tickets, by a word. */
export function rootFor(word: string): string {
  return createHash('sha256').update(word).digest('hex');
}

/** A question about today's seed at an index, for a draw of its own, with what else it should have. */
export function questionOf(index: number, more: Partial<ReleaseQuestion> = {}, at = NOON): ReleaseQuestion {
  const day = new Date(at).toISOString().slice(0, 10);
  return {
    day,
    index,
    drawId: drawIdAt(at, index),
    closesAt: new Date(at).toISOString(),
    commitment: rootFor(`seed of ${index}`),
    tickets: 3,
    ticketRoot: rootFor(`tickets of ${index}`),
    ...more,
  };
}

/** A question as the operator asks it of a keeper. */
export function signed(keeperKey: string, question: ReleaseQuestion): SignedQuestion {
  return { ...question, operatorSignature: signAsOperator(operatorCloseText(keeperKey, question)) };
}

/** Runs a test in a folder of its own. */
export async function inFolder(act: (dir: string) => Promise<void>): Promise<void> {
  const dir = await mkdtemp(join(tmpdir(), 'keeper-'));
  try {
    await act(dir);
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}

/** Starts a keeper in this process, at noon, with days of 3,000 seeds. */
export function startSample(dir: string, more: Partial<KeeperOptions> = {}): Promise<RunningKeeper> {
  const throwIt = (error: Error): void => {
    throw error;
  };
  return startKeeper({
    dir,
    host: '127.0.0.1',
    port: 0,
    operator: OPERATOR.publicKey,
    drawsPerDay: 3_000,
    now: () => NOON,
    failed: throwIt,
    noted: throwIt,
    ...more,
  });
}

/** What the keeper answers to a path of its interface. */
export async function got(url: string, path: string): Promise<Record<string, unknown>> {
  return (await (await fetch(`${url}${path}`)).json()) as Record<string, unknown>;
}

/** Sends a body to `/release` as it is. */
export async function posted(url: string, body: unknown): Promise<Record<string, unknown> & { status: number }> {
  const response = await fetch(`${url}/release`, {
    method: 'POST',
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
  return { status: response.status, ...((await response.json()) as Record<string, unknown>) };
}

/** Asks questions of a keeper, signed; its answers in their order. */
export async function asked(
  { url, identity }: Pick<RunningKeeper, 'url'> & { readonly identity: { readonly publicKey: string } },
  questions: readonly ReleaseQuestion[],
  known?: KnownRelease,
): Promise<ReleaseAnswer[]> {
  const releases = questions.map((question) => signed(identity.publicKey, question));
  const answer = await posted(url, { releases, known });
  if (answer.status !== 200) throw new Error(JSON.stringify(answer));
  return answer['results'] as ReleaseAnswer[];
}
