import { roundTimeMs } from '@drawhouse/rules/drand-chain';
import type { DrandChain } from '@drawhouse/rules/drand-chain';
import type { Logger } from 'pino';
import type { BeaconAddress } from '../keeping-settings.ts';
import { findChain, findRound, WrongRound } from './beacon-client.ts';
import type { WaitingDraw } from './draw-keepers.sql.ts';
import { NoAnswer } from './keeper-client.ts';

/** A round that is not the chain's, which a relay has answered for some draws: why not, and what it was. */
export interface WronglyAnswered {
  readonly draws: readonly WaitingDraw[];
  readonly reason: string;
  readonly question: { readonly chain: string; readonly round: number };
  readonly answer: string;
}

/** What came of asking for rounds: the draws for which none came, and those for which a wrong one did, which are among them. */
interface AskedRounds {
  readonly missing: readonly WaitingDraw[];
  readonly wrong: readonly WronglyAnswered[];
}

/** The rounds of drand that draws take. */
export interface OneBeacon {
  readonly isSet: boolean;
  /** The chain, once it is known. */
  readonly chain: () => DrandChain | undefined;
  find(): Promise<void>;
  /**
   * Asks for the rounds of draws that are due, and gives each with its draws to `keep`. Gives the draws for which none came; those whose round is yet to come
   * are in neither.
   */
  ask(
    draws: readonly WaitingDraw[],
    now: Date,
    keep: (draws: readonly WaitingDraw[], signature: Buffer) => Promise<void>,
  ): Promise<AskedRounds>;
  readonly troubles: () => readonly string[];
}

/** The beacon of the settings; without one no round ever comes. */
export function createBeacon(
  address: BeaconAddress | undefined,
  { timeoutMs, logger }: { readonly timeoutMs: number; readonly logger: Pick<Logger, 'warn'> },
): OneBeacon {
  let chain: DrandChain | undefined;
  let trouble: string | undefined;
  const troubled = (error: unknown): void => {
    if (!(error instanceof NoAnswer)) throw error;
    if (error.message !== trouble) logger.warn({ trouble: error.message }, 'drand does not answer');
    trouble = error.message;
  };
  const found = async (): Promise<DrandChain> => {
    if (!address) throw new NoAnswer('no drand is set');
    chain ??= await findChain(address, timeoutMs);
    return chain;
  };
  return {
    isSet: address !== undefined,
    chain: () => chain,
    async find() {
      await found().catch(troubled);
    },
    async ask(draws, now, keep) {
      const missing: WaitingDraw[] = [];
      const wrong: WronglyAnswered[] = [];
      const due = draws.filter(
        ({ round }) => round !== null && (!chain || roundTimeMs(chain, Number(round)) <= now.getTime()),
      );
      for (const its of Map.groupBy(due, ({ chain: hash, round }) => `${hash} ${round}`).values())
        try {
          const { chain: hash, round } = its[0]!;
          const known = await found();
          if (known.hash !== hash) throw new NoAnswer(`no drand of the chain ${hash} is set`);
          await keep(its, await findRound(address!.url, known, round!, timeoutMs));
          trouble = undefined;
        } catch (error) {
          troubled(error);
          missing.push(...its);
          if (!(error instanceof WrongRound)) continue;
          const question = { chain: its[0]!.chain!, round: Number(its[0]!.round) };
          wrong.push({ draws: its, reason: error.message, question, answer: error.answer });
        }
      return { missing, wrong };
    },
    troubles: () => (trouble === undefined ? [] : [`drand: ${trouble}`]),
  };
}
