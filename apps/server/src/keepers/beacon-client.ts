import { QUICKNET, SCHEMES } from '@drawhouse/rules/drand-chain';
import type { DrandChain } from '@drawhouse/rules/drand-chain';
import { readChain, readRound, verifiedRandomness } from '@drawhouse/rules/drand';
import { callJson, NoAnswer } from './keeper-client.ts';
import type { BeaconAddress } from '../keeping-settings.ts';

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

/** The signature of a round, which was checked. Throws {@link NoAnswer} where it is not there yet, or not the chain's. */
export async function findRound(url: string, chain: DrandChain, round: bigint, timeoutMs: number): Promise<Buffer> {
  const answer = await callJson(`${url}/${chain.hash}/public/${round}`, { timeoutMs, nothing: 404 });
  if (answer === null) throw new NoAnswer(`round ${round} is not there yet`);
  const read = parsed(answer, readRound);
  if (read.round !== Number(round)) throw new NoAnswer(`it answers another round than ${round}`);
  if (!verifiedRandomness(chain, read)) throw new NoAnswer(`its signature of round ${round} is not that of the chain`);
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
