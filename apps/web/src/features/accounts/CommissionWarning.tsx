import { useQuery } from '@tanstack/react-query';
import { parsePoints } from '../../lib/pointsMath.ts';
import { gamesReachingStake } from '../../lib/returnWithCommission.ts';
import type { Level } from '../../commonTexts.ts';
import { WarningNote } from '../../ui/WarningNote.tsx';
import type { AccountForm } from './accountForm.ts';
import { GAMES } from './gamesQuery.ts';

/**
 * Warns below the commission fields of an account if commissions and the return of its games reach 100 %, as they are typed.
 * For an admin the ceiling and the chosen games count. Below an admin the form knows no ceiling, so the account's own rate counts.
 */
export function CommissionWarning({ level, values }: { level: Level; values: AccountForm }) {
  const isAdmin = level === 'admin';
  const commission = parsePoints(isAdmin ? values.commissionCeiling : values.commission) ?? 0;
  const { data } = useQuery({ ...GAMES, enabled: commission > 0 });
  const games = data?.data.filter(({ _id }) => !isAdmin || values.games.includes(_id)) ?? [];
  const names = gamesReachingStake(games, commission);
  if (names === null) return null;
  return (
    <WarningNote>
      {isAdmin
        ? `With commissions of up to ${commission} %, bets in these games return 100 % or more: ${names} (before commissions). The network then earns nothing on them, or loses.`
        : `With this commission of ${commission} % alone, bets in these games return 100 % or more: ${names} (before commissions). The commissions of the other levels add to it.`}
    </WarningNote>
  );
}
