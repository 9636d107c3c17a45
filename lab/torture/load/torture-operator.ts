import { accountRoutes } from '@drawhouse/contract/accounts/accounts';
import { addResult, generateResult, voidDraw } from '@drawhouse/contract/draws/draws';
import { listLimits, setLimits } from '@drawhouse/contract/games/limits';
import { CallFailed, pause } from '../../../tools/demo/client.ts';
import { isOutage } from './stand-client.ts';
import { GAMES, type Network, type Person } from './torture-network.ts';
import type { Random } from './random.ts';

export interface Ended {
  readonly drawId: string;
  readonly status: 'settled' | 'void';
}

export interface OperatorLog {
  readonly ended: Ended[];
  readonly done: Map<string, number>;
  readonly problems: string[];
}

const THINK_MS = 700;
const SHUT_OUT_MS = 250;
const RETRY_MS = 50;

export function operatorLog(): OperatorLog {
  return { ended: [], done: new Map(), problems: [] };
}

export async function keepOperating(
  network: Network,
  log: OperatorLog,
  random: Random,
  signal: AbortSignal,
): Promise<void> {
  const acts = actsOf(network, log, random, signal);
  while (!signal.aborted) {
    const [name, act] = random.pick(acts);
    try {
      await act();
      log.done.set(name, (log.done.get(name) ?? 0) + 1);
    } catch (error) {
      // The draw may have ended or have a result; an outage leaves the outcome unknown.
      const isExpected = isOutage(error) || (error instanceof CallFailed && error.code === 'DRAW_STATE');
      if (!isExpected) log.problems.push(`The operator could not ${name}: ${(error as Error).message}`);
    }
    await pause(random.next() * THINK_MS, signal);
  }
}

type Act = readonly [name: string, act: () => Promise<unknown>];

function actsOf(
  { admin, superadmin, players, retailers }: Network,
  log: OperatorLog,
  random: Random,
  signal: AbortSignal,
): Act[] {
  const declare: Act = [
    'declare',
    () => {
      const { gameId, drawnos } = random.pick(GAMES);
      const body = { gameId, adminId: admin.id, result: random.pick(drawnos), boosterValue: random.int(1, 3) };
      return admin.call(addResult, { body });
    },
  ];
  const pair = (): { gameId: string; adminId: string } => ({ gameId: random.pick(GAMES).gameId, adminId: admin.id });
  return [
    declare,
    declare,
    [
      'generate',
      async () => {
        const { drawId } = await admin.call(generateResult, { body: pair() });
        log.ended.push({ drawId, status: 'settled' });
      },
    ],
    [
      'void',
      async () => {
        const { drawId } = await superadmin.call(voidDraw, { body: { ...pair(), reason: 'torture' } });
        log.ended.push({ drawId, status: 'void' });
      },
    ],
    ['shut out', () => shutOut(admin, random.pick([...players, ...retailers]), signal)],
    ['limit', () => limit(admin, random)],
  ];
}

/** Always reactivates it, even through outages. */
async function shutOut(admin: Person, { id, role }: Person, signal: AbortSignal): Promise<void> {
  const toggle = (action: 'activate' | 'deactivate'): Promise<unknown> =>
    admin.call(accountRoutes[role].toggleStatus, { params: { userId: id, action } });
  await toggle('deactivate').catch((error: unknown) => {
    if (!isOutage(error)) throw error;
  });
  await pause(SHUT_OUT_MS, signal);
  for (;;)
    try {
      await toggle('activate');
      return;
    } catch (error) {
      if (!isOutage(error)) throw error;
      await pause(RETRY_MS);
    }
}

async function limit(admin: Person, random: Random): Promise<void> {
  const { data } = await admin.call(listLimits, { params: { adminId: admin.id } });
  const points = (most: number): number | null => (random.int(0, 1) === 0 ? null : random.int(most / 10, most));
  const update = { id: random.pick(data).id, perNumber: points(400), perTicket: points(20), perPlayer: points(200) };
  await admin.call(setLimits, { params: { adminId: admin.id }, body: { updates: [update] } });
}
