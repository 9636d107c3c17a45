import { readUpTo } from '../../apps/server/src/platform/http/request/read-up-to.ts';
import { TILE_WIDTH, tilePath, type Tile } from '@drawhouse/tlog/tiles';

const ANSWER_MS = 15_000;
const MOST_NOTE_BYTES = 100_000;
/** 256 hashes of 32 bytes. */
const MOST_TILE_BYTES = 8_192;
const NOT_FOUND = 404;

/** The server is unreachable, or its answer unusable. */
export class Trouble extends Error {
  override readonly name = 'Trouble';
  readonly status: number | undefined;

  constructor(message: string, status?: number) {
    super(message);
    this.status = status;
  }
}

/** Every method rejects with {@link Trouble}. */
export type SealsClient = {
  /** Newest of all logs. */
  checkpoint(): Promise<Uint8Array>;
  /** Returns the tile, or its full version. */
  tile(nth: number, tile: Tile): Promise<Uint8Array>;
  cosign(nth: number, note: string): Promise<void>;
};

/** Does not follow redirects. */
export function sealsClient(of: string): SealsClient {
  const at = (path: string): string => `${of.replace(/\/$/, '')}/seals/${path}`;
  const get = (path: string, most: number): Promise<Uint8Array> => ask(at(path), {}, most);
  return {
    checkpoint: () => get('checkpoint', MOST_NOTE_BYTES),
    async tile(nth, tile) {
      const read = (one: Tile): Promise<Uint8Array> => get(`${nth}/${tilePath(one)}`, MOST_TILE_BYTES);
      try {
        return await read(tile);
      } catch (error) {
        // A partial tile may be deleted once the full one exists.
        if (!(error instanceof Trouble) || error.status !== NOT_FOUND || tile.width === TILE_WIDTH) throw error;
        return read({ ...tile, width: TILE_WIDTH });
      }
    },
    async cosign(nth, note) {
      const headers = { 'content-type': 'text/plain; charset=utf-8' };
      await ask(at(`${nth}/cosign`), { method: 'POST', body: note, headers }, MOST_NOTE_BYTES);
    },
  };
}

async function ask(url: string, init: RequestInit, most: number): Promise<Uint8Array> {
  const path = new URL(url).pathname;
  try {
    const answer = await fetch(url, { ...init, redirect: 'error', signal: AbortSignal.timeout(ANSWER_MS) });
    const body = await readUpTo(most, answer.body);
    if (!body) throw new Trouble(`The answer has more than ${most} bytes.`);
    if (answer.status !== 200) throw new Trouble(`${path} answered ${answer.status}: ${textOf(body)}`, answer.status);
    return body;
  } catch (error) {
    if (error instanceof Trouble) throw error;
    const { message, cause } = error as Error;
    throw new Trouble(`${path} could not be read: ${cause instanceof Error ? cause.message || message : message}`);
  }
}

/** Returns the first 200 bytes on one line without control characters, safe for terminals. */
function textOf(body: Uint8Array): string {
  return Buffer.from(body.subarray(0, 200))
    .toString('utf8')
    .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ');
}
