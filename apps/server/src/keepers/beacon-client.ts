import { callJson, hexOf, NoAnswer } from './keeper-client.ts';
import type { BeaconAddress } from '../keeping-settings.ts';

/** A signature of a round, as it was answered; nothing of it is checked but its form. */
export async function readRound({ url, chain }: BeaconAddress, round: bigint, timeoutMs: number): Promise<Buffer> {
  const answer = await callJson(`${url}/${chain.chain}/public/${round}`, { timeoutMs, nothing: 404 });
  if (answer === null) throw new NoAnswer(`round ${round} is not there yet`);
  const { round: answered, signature } = answer as Record<string, unknown>;
  if (answered !== Number(round)) throw new NoAnswer(`it answers another round than ${round}`);
  return hexOf(signature, chain.publicKey.length === 192 ? 48 : 96);
}
