import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { readUpTo } from '../../apps/server/src/platform/http/request/read-up-to.ts';
import { callerFile } from '../../apps/server/src/commands/command-line.ts';
import { CELL_HEADER } from '@drawhouse/contract/core/route';
import type { PublishedDraw } from '@drawhouse/rules/fair/fair';

export type AnsweredDraw = PublishedDraw & {
  number?: number;
  gameName?: string;
  drawsAt?: string;
  ticketRoot?: string | null;
  outside?: string | null;
  corrections?: readonly { readonly at: string; readonly before: string; readonly after: string }[];
  tickets?: number | null;
  undone?: { readonly at: string; readonly backupOf: string } | null;
};

/** The draw may still be right. */
export class Uncheckable extends Error {}

/** The largest draws take a few kilobytes. */
const MAX_BYTES = 1_000_000;
const TIMEOUT_MS = 15_000;
const DRAW_ADDRESS = /^(.*)\/(?:fair|api\/fair\/draw)\/([^/]+)\/?$/;

/** Reads a file, standard input (undefined or `-`), or the address of the draw's page or JSON. */
export async function readDraw(
  from: string | undefined,
): Promise<{ readonly draw: AnsweredDraw; readonly cell: string | undefined }> {
  if (isAddress(from)) return fetched(from);
  const isPiped = from === undefined || from === '-';
  const draw = isPiped ? parsed(await text(process.stdin), 'Standard input') : parsed(await contentOf(from), from);
  return { draw, cell: undefined };
}

export function isAddress(from: string | undefined): from is string {
  return from !== undefined && /^https?:\/\//i.test(from);
}

export async function readJsonFile(path: string): Promise<unknown> {
  const content = await contentOf(path);
  try {
    return JSON.parse(content);
  } catch {
    throw new Uncheckable(`${path} contains no JSON.`);
  }
}

async function contentOf(path: string): Promise<string> {
  try {
    return await readFile(callerFile(path), 'utf8');
  } catch (error) {
    throw new Uncheckable(`The file cannot be read: ${(error as Error).message}`);
  }
}

/** Accepts the address of the draw's page too. */
export function jsonAddress(address: string): URL {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  const [, base, drawId] = DRAW_ADDRESS.exec(url?.pathname ?? '') ?? [];
  if (!url || base === undefined) {
    throw new Uncheckable(
      `${address} is not the address of a draw. It must end in /fair/ and the draw's id, or in /api/fair/draw/ and the id.`,
    );
  }
  return new URL(`${base}/api/fair/draw/${drawId}`, url.origin);
}

async function fetched(address: string): ReturnType<typeof readDraw> {
  const url = jsonAddress(address);
  const { status, body, cell } = await answerOf(url);
  if (status === 404) throw new Uncheckable(`${url.host} has no such draw. Check that the id is complete.`);
  if (status === 429) throw new Uncheckable(`Too many requests to ${url.host}. Try again in a few seconds.`);
  if (status !== 200) throw new Uncheckable(`${url.host} answered ${status}${messageOf(body)}`);
  return { draw: parsed(body, url.host), cell };
}

interface Answer {
  readonly status: number;
  readonly body: string;
  /** Header of the call that was answered. In a group of cells, it names the cell. */
  readonly cell: string | undefined;
}

const WRONG_CELL = 421;

/** Asks each cell of a group once, as their answers say. */
export async function answerOf(url: URL, first?: string): Promise<Answer> {
  const asked = new Set<string>();
  for (let cell = first; ;) {
    const { next, ...answer } = await answerIn(url, cell);
    if (answer.status !== WRONG_CELL || next === null || asked.has(next)) return { ...answer, cell };
    asked.add(next);
    cell = next;
  }
}

async function answerIn(
  url: URL,
  cell: string | undefined,
): Promise<Omit<Answer, 'cell'> & { readonly next: string | null }> {
  try {
    const response = await fetch(url, {
      headers: { accept: 'application/json', ...(cell !== undefined && { [CELL_HEADER]: cell }) },
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    const body = await readUpTo(MAX_BYTES, response.body);
    if (!body) throw new Uncheckable('The answer is longer than any draw, so reading stopped.');
    return { status: response.status, body: body.toString(), next: response.headers.get(CELL_HEADER) };
  } catch (error) {
    if (error instanceof Uncheckable) throw error;
    throw new Uncheckable(`${url.host} cannot be reached: ${reasonOf(error as Error)}`);
  }
}

function reasonOf(error: Error): string {
  if (error.name === 'TimeoutError') return `no answer within ${TIMEOUT_MS / 1000} seconds`;
  const { cause } = error;
  return cause instanceof Error
    ? cause.message || (cause as NodeJS.ErrnoException).code || error.message
    : error.message;
}

function messageOf(body: string): string {
  try {
    const { message, fields } = JSON.parse(body) as { message?: unknown; fields?: Record<string, unknown> };
    const sentence = typeof message === 'string' ? message : '';
    const more = Object.values(fields ?? {}).filter((part) => typeof part === 'string' && !sentence.includes(part));
    const sentences = [sentence, ...more].filter(Boolean).join(' ');
    return sentences === '' ? '.' : `: ${sentences}`;
  } catch {
    return '.';
  }
}

function parsed(content: string, from: string): AnsweredDraw {
  let draw: unknown;
  try {
    draw = JSON.parse(content);
  } catch {
    throw new Uncheckable(`${from} contains no JSON. The JSON of a draw is at /api/fair/draw/ and its id.`);
  }
  if (
    typeof draw !== 'object' ||
    draw === null ||
    !('drawId' in draw) ||
    !('commitment' in draw || 'ticketRoot' in draw)
  ) {
    throw new Uncheckable(`${from} does not contain a published draw.`);
  }
  return draw as AnsweredDraw;
}
