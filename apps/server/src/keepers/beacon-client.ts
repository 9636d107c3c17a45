import { QUICKNET, SCHEMES } from '@drawhouse/rules/drand-chain';
import type { DrandChain } from '@drawhouse/rules/drand-chain';
import { readChain, readRound, verifiedRandomness } from '@drawhouse/rules/drand';
import { callJson, NoAnswer } from './keeper-client.ts';
import type { BeaconAddress } from '../keeping-settings.ts';

/** A relay has answered with a round that is not the one of the chain: what it said, as it came. */
export class WrongRound extends NoAnswer {
  readonly answer: string;

  constructor(reason: string, answer: unknown) {
    super(reason);
    this.answer = JSON.stringify(answer);
  }
}

/** The chain of the settings: quicknet is known, any other is read, and right where it has the hash. Throws {@link NoAnswer}. */
export async function findChain({ url, hash }: BeaconAddress, timeoutMs: number): Promise<DrandChain> {
  if (hash === QUICKNET.hash) return QUICKNET;
  const chain = parsed(await callJson(`${url}/${hash}/info`, { timeoutMs }), readChain);
  if (chain.hash !== hash) throw new NoAnswer(`it tells of another chain than ${hash}`);
  // Of such a chain the signature of a round can't be checked alone.
  if (SCHEMES[chain.scheme].isChained)
    throw new NoAnswer(`the rounds of ${hash} are chained; take a chain that is not`);
  return chain;
}

/** The signature of a round, which was checked. Throws {@link NoAnswer} where it is not there yet, {@link WrongRound} where it is not the chain's. */
export async function findRound(url: string, chain: DrandChain, round: bigint, timeoutMs: number): Promise<Buffer> {
  const answer = await callJson(`${url}/${chain.hash}/public/${round}`, { timeoutMs, nothing: 404 });
  if (answer === null) throw new NoAnswer(`round ${round} is not there yet`);
  const read = parsed(answer, readRound);
  if (read.round !== Number(round)) throw new WrongRound(`it answered round ${read.round} for round ${round}`, answer);
  if (!verifiedRandomness(chain, read))
    throw new WrongRound(`its signature of round ${round} is not that of the chain ${chain.hash}`, answer);
  return Buffer.from(read.signature, 'hex');
}

function parsed<T>(answer: unknown, read: (json: unknown) => T): T {
  try {
    return read(answer);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new NoAnswer(error.message);
  }
}
