import type { Account } from '@drawhouse/contract/accounts/accounts';
import { percentHundredthsOf, percentOf } from '@drawhouse/contract/frame/primitives';
import { useQuery } from '@tanstack/react-query';
import { parsePoints } from '../../lib/pointsMath.ts';
import { gamesReachingStake } from '../../lib/returnWithCommission.ts';
import type { Level } from '../../commonTexts.ts';
import { WarningNote } from '../../ui/WarningNote.tsx';
import type { AccountForm } from './accountForm.ts';
import { GAMES } from './gamesQuery.ts';

interface CommissionWarningProps {
  readonly level: Level;
  readonly values: AccountForm;
  /** The account as it is; none while it is made. */
  readonly account?: Account | undefined;
}

/**
 * Warns below the commission fields of an account if the commissions that are paid along its highest chain and the return of its games reach 100 %,
 * as they are typed. Someone below the admin, or an account that is made, knows no chain: then its own rate counts.
 */
export function CommissionWarning({ level, values, account }: CommissionWarningProps) {
  const isAdmin = level === 'admin';
  const typed = isAdmin ? 0 : (parsePoints(values.commission) ?? 0);
  const chain = account?.highestChain;
  const rest = chain
    ? percentHundredthsOf(chain.commission) - (isAdmin ? 0 : percentHundredthsOf(account.commission))
    : 0;
  const commission = percentOf(rest + percentHundredthsOf(typed));
  const { data } = useQuery({ ...GAMES, enabled: commission > 0 });
  const played = isAdmin ? values.games : chain?.games;
  const games = data?.data.filter(({ _id }) => played === undefined || played.includes(_id)) ?? [];
  const names = gamesReachingStake(games, commission);
  if (names === null) return null;
  return (
    <WarningNote>
      {chain
        ? `Commissions come to ${commission} % along one chain. With them, bets in these games return 100 % or more: ${names} (before commissions). The network earns nothing on them, or loses.`
        : `With this commission of ${commission} % alone, bets in these games return 100 % or more: ${names} (before commissions).`}
    </WarningNote>
  );
}
