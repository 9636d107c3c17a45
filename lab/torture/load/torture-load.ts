import { pause } from '../../../tools/demo/client.ts';
import { callOn } from './stand-client.ts';
import { betLog, keepBetting, type BetLog } from './bettor.ts';
import { judge } from '../judge.ts';
import { makeNetworks, shortenIntervals, slowCommits, type Network } from './torture-network.ts';
import { keepOperating, operatorLog, type OperatorLog } from './torture-operator.ts';
import { keepWatchingSeals, createSealsSeen } from '../torture-seals.ts';
import type { Random } from './random.ts';
import { asOwner, type Stand } from '../stand.ts';

const UNDER_WAY = { bets: 30, mostMs: 10_000 };
/** About a quarter of the kills hit a settlement. */
const ENOUGH_KILLS = 30;

export interface LoadSize {
  readonly networks: number;
  readonly playersEach: number;
  readonly atOnce: number;
  /** Factor of draw intervals; default 1. */
  readonly slower?: number;
}

export interface Load {
  readonly bets: readonly BetLog[];
  readonly operators: readonly OperatorLog[];
  killed(at: Date): void;
  /** Pauses, compares everything, and returns problems. */
  check(): Promise<string[]>;
  play(): void;
  /** Waits for new acknowledged bets, so kills hit a loaded server. Times out. */
  untilRunning(signal?: AbortSignal): Promise<void>;
  summary(): string;
}

export async function makeLoad(stand: Stand, size: LoadSize, random: Random): Promise<Load> {
  await shortenIntervals(stand, size.slower);
  const networks: Network[] = await makeNetworks(callOn(stand), size.networks, size.playersEach);
  await slowCommits(stand);
  const bets = networks.flatMap(({ players }) => players.map(betLog));
  const operators = networks.map(operatorLog);
  const seals = createSealsSeen();
  const kills: Date[] = [];
  let amid = { draws: 0, kills: 0 };
  let stopping = new AbortController();
  let playing: Promise<unknown> = Promise.resolve();
  return {
    bets,
    operators,
    play() {
      stopping = new AbortController();
      const { signal } = stopping;
      playing = Promise.all([
        ...bets.flatMap((log) => Array.from({ length: size.atOnce }, () => keepBetting(log, random.fork(), signal))),
        ...networks.map((network, at) => keepOperating(network, operators[at]!, random.fork(), signal)),
        keepWatchingSeals(stand, seals, signal),
      ]);
      playing.catch(() => {});
    },
    async untilRunning(signal) {
      const enough = acknowledgedOf(bets) + UNDER_WAY.bets;
      const until = performance.now() + UNDER_WAY.mostMs;
      while (acknowledgedOf(bets) < enough && performance.now() < until && !signal?.aborted) await pause(20, signal);
    },
    killed: (at) => void kills.push(at),
    async check() {
      stopping.abort();
      await playing;
      const problems = await judge(stand, bets, operators, seals);
      amid = await countAmid(stand, kills);
      if (kills.length >= ENOUGH_KILLS && amid.kills === 0)
        problems.push(`None of ${kills.length} kills hit one of the ${amid.draws} draws while it was paid in pieces.`);
      return problems;
    },
    summary() {
      const late = bets.reduce((sum, log) => sum + log.late, 0);
      return [
        `${acknowledgedOf(bets)} bets acknowledged, ${late} of them when sent again`,
        `asked again: ${total(bets.map(({ outages }) => outages))}`,
        `refused: ${total(bets.map(({ refused }) => refused))}`,
        `operators: ${total(operators.map(({ done }) => done))}`,
        `seals: ${seals.newest?.size ?? 0} records, ${seals.seen} checkpoints that go on from the one before`,
        `${amid.draws} draws paid in pieces, ${amid.kills} of ${kills.length} kills amid one`,
      ].join('; ');
    },
  };
}

export function acknowledgedOf(bets: readonly BetLog[]): number {
  return bets.reduce((sum, { acknowledged }) => sum + acknowledged.length, 0);
}

export function total(all: readonly ReadonlyMap<string, number>[]): string {
  const sums = new Map<string, number>();
  for (const counts of all) for (const [name, count] of counts) sums.set(name, (sums.get(name) ?? 0) + count);
  return [...sums].map(([name, count]) => `${name} ${count}`).join(', ') || 'none';
}

/** Also counts kills between their first and last step. */
async function countAmid(stand: Stand, kills: readonly Date[]): Promise<{ draws: number; kills: number }> {
  const [row] = await asOwner(stand, (on) =>
    on.query<{ draws: number; kills: number }>(
      // Undone steps rerun later, so a step begun before a kill was committed before it.
      `with paid as (select b.began_at, s.settled_at from draw_settlings b
         join draw_settlements s on s.network_id = b.network_id and s.draw_id = b.draw_id)
       select (select count(*) from paid)::int as draws,
              (select count(*) from unnest($1::timestamptz[]) as kill (at)
               where exists (select from paid where began_at <= kill.at and settled_at > kill.at))::int as kills`,
      [kills.map((at) => at.toISOString())],
    ),
  );
  return row!;
}
