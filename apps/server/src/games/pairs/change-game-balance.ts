import { pointsOf, pointsText, type Hundredths } from '@drawhouse/contract/core/primitives';
import type { Actor } from '../../accounts/authority.ts';
import type { Change } from '@drawhouse/contract/activity/activity';
import { balanceChange } from '../../activity/append-activity.ts';
import { runCommand } from '../../activity/run-command.ts';
import type { Tx } from '../../platform/db/database.ts';
import type { Services } from '../../platform/services.ts';
import { CallError } from '../../platform/http/http-errors.ts';
import type { Call, GuardedAct } from '../../platform/http/handler.ts';
import { once } from '../../activity/idempotency.ts';
import { lockWallets, move } from '../../ledger/post.ts';
import type { WalletName } from '../../ledger/wallets.ts';
import { panelChanged, requirePair, type PairChoice } from './pairs.ts';
import type { PairRow } from '../games.sql.ts';
import { GAME_TEXTS, GAME_SUBJECTS } from '../games-texts.ts';

export interface BalanceOrder extends PairChoice {
  readonly type: 'add' | 'remove';
  readonly amount: Hundredths | null;
}

export interface TableNeeds {
  /** Blocks bets on the game until commit. Call before locking wallets. */
  holdBets(this: void, tx: Tx, pair: PairRow): Promise<void>;
  needOf(this: void, tx: Tx, pair: PairRow): Promise<bigint>;
}

/**
 * Adds from the admin's credit, or returns funds beyond the need. A negative table cannot be reset. Once per
 * Idempotency-Key.
 */
export async function changeGameBalance(
  services: Services,
  call: Call<Actor>,
  order: BalanceOrder,
  tables: TableNeeds,
): Promise<{ gameBalance: number }> {
  const { actor } = call;
  return runCommand(services, call, async (tx, at) => {
    const pair = await requirePair(tx, actor, order, 'locked');
    const networkId = pair.network_id;
    let moved = 0n;
    let transferId: string | undefined;
    let changes: Change[] = [];
    const { answer, repeated } = await once(
      tx,
      call,
      at,
      ['game-balance', pair.admin_id, pair.game_id, order.type, String(order.amount ?? '')],
      async () => {
        const credit: WalletName = `credit:${pair.admin_id}`;
        const table: WalletName = `table:${pair.game_id}`;
        if (order.type === 'remove') await tables.holdBets(tx, pair);
        const wallets = await lockWallets(tx, networkId, [credit, table]);
        const onTable = wallets.get(table)!.balance;
        if (order.type === 'remove' && onTable < 0n)
          throw new CallError('RULE_REFUSED', {
            message: GAME_TEXTS.tableOwes(pointsText(-onTable)),
          });
        const need = order.type === 'add' ? 0n : await tables.needOf(tx, pair);
        if (onTable > 0n && need >= onTable)
          throw new CallError('RULE_REFUSED', {
            message: GAME_TEXTS.balanceNeeded(pointsText(need)),
          });
        moved = order.type === 'add' ? order.amount! : onTable - need;
        const spendable = wallets.get(credit)!.balance;
        if (order.type === 'add' && moved > spendable)
          throw new CallError('INSUFFICIENT_CREDIT', {
            fields: { balance: GAME_TEXTS.adminHas(pointsText(spendable)) },
          });
        if (moved > 0n)
          [transferId] = await move(
            tx,
            networkId,
            { at: services.clock.now(), newId: services.newId, events: services.events },
            wallets,
            [
              {
                ...(order.type === 'add' ? { from: credit, to: table } : { from: table, to: credit }),
                amount: moved,
                kind: order.type === 'add' ? 'table-add' : 'table-reset',
                actorId: actor.id,
                reference: pair.game_id,
              },
            ],
          );
        const ontoTable = order.type === 'add' ? moved : -moved;
        changes = [
          ...balanceChange(`Game balance of ${pair.name}`, wallets.get(table)!.balance, ontoTable),
          ...balanceChange(`Credit of ${pair.admin_username}`, wallets.get(credit)!.balance, -ontoTable),
        ];
        return { gameBalance: pointsOf(wallets.get(table)!.balance) };
      },
    );
    panelChanged(services, tx, pair);
    const verb = order.type === 'add' ? 'Added' : 'Reset';
    return {
      result: answer,
      subject: repeated ? null : GAME_SUBJECTS.balanceChanged(verb, pair.name, pointsText(moved)),
      detail: { transferId, gameId: pair.game_key, adminId: pair.admin_id, points: pointsOf(moved) },
      changes,
      guarded: transferId === undefined ? [] : [guardedBalance(pair, moved, transferId)],
    };
  });
}

function guardedBalance({ network_id: networkId, game_id }: PairRow, amount: bigint, transferId: string): GuardedAct {
  return { kind: 'credit', networkId, amount, moves: [{ networkId, wallet: `table:${game_id}`, transferId }] };
}
