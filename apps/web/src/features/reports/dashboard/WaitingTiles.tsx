import type { dashboard } from '@drawhouse/contract/reports/dashboard';
import type { Role } from '@drawhouse/contract/core/primitives';
import type { RouteAnswer } from '@drawhouse/contract/core/route';
import type { ReactNode } from 'react';
import { formatCount } from '../../../lib/format/format.ts';
import { pagePath, withSearch } from '../../../lib/paths.ts';
import { useUser } from '../../../lib/session/session.ts';
import { PathLink } from '../../../ui/page/PathLink.tsx';
import { Points } from '../../../ui/mark/Points.tsx';
import cards from './dashboardCard.module.css';
import { dashboardTexts } from './dashboardTexts.ts';
import { richText } from '@drawhouse/session/rich-text';

interface WaitingTilesProps {
  role: Role;
  now: RouteAnswer<typeof dashboard>;
}

export function WaitingTiles({ role, now }: WaitingTilesProps) {
  const { _id: userId } = useUser();
  return (
    <div className={cards.tiles}>
      <Tile title={dashboardTexts.playersOnlineNow} href={pagePath(role, 'onlineplayers')}>
        {formatCount(now.online)}
      </Tile>
      <Tile
        title={dashboardTexts.pendingCommission}
        href={pagePath(role, 'commissionpayoutReport')}
        note={dashboardTexts.earnedBelow(now.pendingCommission.accounts)}
        {...(now.pendingCommission.own > 0 && { own: now.pendingCommission.own })}
      >
        <Points value={now.pendingCommission.points} inline />
      </Tile>
      {now.week && now.week.accounts > 0 && (
        <Tile
          title={dashboardTexts.owed}
          href={pagePath(role, 'week')}
          note={dashboardTexts.owedSince(now.week.accounts, now.week.since)}
        >
          <Points value={now.week.owed} inline />
        </Tile>
      )}
      {now.week?.own && now.week.own.balance !== 0 && (
        <Tile
          title={dashboardTexts.ownWeek(now.week.own.balance > 0, now.week.own.parent)}
          href={withSearch(pagePath(role, 'week'), { account: userId })}
          note={dashboardTexts.ownSince(now.week.own.since, now.week.own.reminder)}
        >
          <Points value={Math.abs(now.week.own.balance)} inline />
        </Tile>
      )}
      {now.unclaimed.accounts > 0 && (
        <Tile
          title={dashboardTexts.unclaimedWins}
          href={pagePath(role, 'gamehistory')}
          note={dashboardTexts.waitingToClaim(now.unclaimed.accounts)}
        >
          <Points value={now.unclaimed.points} inline />
        </Tile>
      )}
    </div>
  );
}

interface TileProps {
  title: string;
  href: string;
  note?: string | undefined;
  /** In points. */
  own?: number;
  children: ReactNode;
}

function Tile({ title, href, note, own, children }: TileProps) {
  return (
    <section className={cards.card}>
      <h2 className={cards.title}>
        <PathLink href={href}>{title}</PathLink>
      </h2>
      <div className={cards.value}>{children}</div>
      {note !== undefined && <p className={cards.note}>{note}</p>}
      {own !== undefined && (
        <p className={cards.note}>{richText(dashboardTexts.yours, { amount: <Points value={own} inline /> })}</p>
      )}
    </section>
  );
}
