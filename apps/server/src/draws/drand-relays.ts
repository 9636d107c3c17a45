import { readFile } from 'node:fs/promises';
import { QUICKNET, readChain, readRound, verifiedRandomness } from '@drawhouse/rules/drand';
import type { DrandChain, DrandRound } from '@drawhouse/rules/drand';
import { LRUCache } from 'lru-cache';

const TIMEOUT_MS = 5_000;
/** A round has less than a tenth of it. */
const MOST_BYTES = 8_192;
const MOST_KNOWN = 1_000;
/** How a relay says that there is no such round yet. */
const NOT_YET = new Set([404, 425]);

/** A round that was checked, with what follows from it. */
export interface CheckedRound extends DrandRound {
  /** 32 bytes. */
  readonly randomness: Uint8Array;
}

/**
 * The chain whose rounds draws go by: that of the file of `DRAND_CHAIN_FILE`, which holds what the chain's `/info` answers, or quicknet. Throws a
 * sentence where the file can't be read or contradicts its own hash.
 */
export async function drandChainOf(file: string | undefined): Promise<DrandChain> {
  if (file === undefined) return QUICKNET;
  try {
    return readChain(JSON.parse(await readFile(file, 'utf8')));
  } catch (error) {
    throw new Error(`DRAND_CHAIN_FILE can't be used: ${(error as Error).message}`, { cause: error });
  }
}

/**
 * Where rounds come from: relays of one chain, none of which is believed. Nothing here waits to try again: whoever needs a round asks for it
 * with each look at what is due, and after a failure the next relay is asked.
 */
export class DrandRelays {
  readonly chain: DrandChain;
  readonly #urls: readonly string[];
  readonly #timeoutMs: number;
  readonly #known = new LRUCache<number, CheckedRound>({ max: MOST_KNOWN });
  /** Rounds that are being asked for: many draws may need one. */
  readonly #asked = new Map<number, Promise<CheckedRound | undefined>>();
  #failures = 0;

  /** `urls` are those of `DRAND_URL`, at least one. A relay that has not answered after `timeoutMs` has failed. */
  constructor(urls: readonly string[], chain: DrandChain, timeoutMs = TIMEOUT_MS) {
    this.chain = chain;
    this.#urls = urls;
    this.#timeoutMs = timeoutMs;
  }

  /**
   * A round, by one call to one relay at most; undefined where the relay has not got it yet. Rejects with a sentence that names the relay where it
   * can't be reached, answers something else, or a round whose signature is not the chain's: the next call asks the next relay.
   */
  round(round: number): Promise<CheckedRound | undefined> {
    const known = this.#known.get(round);
    if (known) return Promise.resolve(known);
    const asked = this.#asked.get(round) ?? this.#ask(round).finally(() => this.#asked.delete(round));
    this.#asked.set(round, asked);
    return asked;
  }

  async #ask(round: number): Promise<CheckedRound | undefined> {
    const url = this.#urls[this.#failures % this.#urls.length]!;
    try {
      const found = await this.#fetch(`${url}/${this.chain.hash}/public/${round}`, round);
      if (found) this.#known.set(round, found);
      return found;
    } catch (error) {
      this.#failures++;
      const { message, cause } = error as Error;
      const reason = cause instanceof Error ? `${message}: ${cause.message}` : message;
      throw new Error(`The drand relay ${url} gave no round ${round}: ${reason}`, { cause: error });
    }
  }

  async #fetch(address: string, round: number): Promise<CheckedRound | undefined> {
    const response = await fetch(address, { signal: AbortSignal.timeout(this.#timeoutMs) });
    if (NOT_YET.has(response.status)) {
      await response.body?.cancel();
      return undefined;
    }
    const text = await readShort(response);
    if (response.status !== 200) throw new Error(`it answers with status ${response.status}.`);
    const told = readRound(JSON.parse(text));
    if (told.round !== round) throw new Error(`it answers round ${told.round}.`);
    const randomness = verifiedRandomness(this.chain, told);
    if (!randomness) throw new Error('the signature is not that of the chain.');
    return { ...told, randomness };
  }
}

async function readShort(response: Response): Promise<string> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of response.body ?? []) {
    bytes += part.length;
    if (bytes > MOST_BYTES) throw new Error(`it answers with more than ${MOST_BYTES} bytes.`);
    parts.push(part);
  }
  return Buffer.concat(parts).toString('utf8');
}
