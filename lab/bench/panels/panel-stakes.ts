import { builtInGame } from '@drawhouse/rules/games/catalogue';
import { rulesFor } from '@drawhouse/rules/games/rules';
import { everyBet } from '../../simulate/bets.ts';
import { BETS_A_SECOND, CHANGES_A_SECOND } from './panel-field.ts';
import type { PanelField } from './panel-field.ts';

const CHANNEL = 'panels';
/** Hundredths. */
const STAKE = 500;
export const BETS_A_CHANGE: number = BETS_A_SECOND / CHANGES_A_SECOND;

/**
 * Adds a random batch of bets to the draw's sums and notifies like another server would. Keeps bet processing out of
 * the measured server.
 */
export function betsOf({ db, networkId }: PanelField, gameId: string): () => Promise<void> {
  const rules = rulesFor(builtInGame(gameId)!);
  const keys = everyBet(rules).map((line) => (rules.parseBet(line) as { key: string }).key);
  const news = JSON.stringify({ from: 'bench', news: [[networkId, gameId, 'stakes']] });
  return async () => {
    const stakes = new Map<string, number>();
    for (let bet = 0; bet < BETS_A_CHANGE; bet++) {
      const key = keys[Math.floor(Math.random() * keys.length)]!;
      stakes.set(key, (stakes.get(key) ?? 0) + STAKE);
    }
    await db.query(
      `insert into exposures (network_id, draw_id, bet_key, stake)
       select $1, d.id, laid.key, laid.stake from draws d join games g on g.id = d.game_id,
         unnest($3::text[], $4::bigint[]) as laid (key, stake)
       where d.network_id = $1 and g.game_key = $2 and d.status = 'open'
       on conflict (network_id, draw_id, bet_key) do update set stake = exposures.stake + excluded.stake`,
      [networkId, gameId, [...stakes.keys()], [...stakes.values()]],
    );
    await db.query('select pg_notify($1, $2)', [CHANNEL, news]);
  };
}
