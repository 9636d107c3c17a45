import type { dashboard } from '@drawhouse/contract/reports/dashboard';
import type { Role } from '@drawhouse/contract/frame/primitives';
import type { RouteAnswer } from '@drawhouse/contract/frame/route';
import { IconBroadcast } from '@tabler/icons-react';
import { formatPoints } from '../../../lib/format.ts';
import { pagePath, panelPath } from '../../../lib/paths.ts';
import { DateTime } from '../../../ui/DateTime.tsx';
import { PathLink } from '../../../ui/PathLink.tsx';
import classes from './LiveTablesCard.module.css';

/** The tables, with which the dashboard of whoever has some begins: the way to all of them, those below zero, and the results that wait for a second person. */
export function LiveTablesCard({ role, now }: { role: Role; now: RouteAnswer<typeof dashboard> | undefined }) {
  return (
    <div className={classes.tables}>
      <PathLink href={pagePath(role, 'game')} className={classes.all}>
        <IconBroadcast size={20} stroke={1.6} aria-hidden />
        <span>
          <strong>All tables</strong>
          <span className={classes.note}>Every game’s next draw, its bets and what it would pay</span>
        </span>
      </PathLink>
      {now && now.tablesBelow.length > 0 && (
        <section className={classes.below}>
          <h2 className={classes.title}>Tables below zero</h2>
          <ul className={classes.draws}>
            {now.tablesBelow.map((table) => (
              <li key={`${table.adminId} ${table.gameId}`} className={classes.draw}>
                <PathLink href={panelPath(role, table.gameId, table.adminId, table.username)}>
                  {table.gameName}
                </PathLink>
                <span className={classes.note}>
                  {table.username}, <span className={classes.loss}>{formatPoints(table.balance)}</span>
                  {table.opensNoDraw && ', no draw opens until balance is added'}
                </span>
              </li>
            ))}
          </ul>
        </section>
      )}
      {now && now.toConfirm.length > 0 && (
        <section className={classes.waiting}>
          <h2 className={classes.title}>Results that wait for a second person</h2>
          <ul className={classes.draws}>
            {now.toConfirm.map((draw) => (
              <li key={`${draw.adminId} ${draw.gameId}`} className={classes.draw}>
                <PathLink href={panelPath(role, draw.gameId, draw.adminId, draw.username)}>{draw.gameName}</PathLink>
                <span className={classes.note}>
                  {`${draw.username}, declared by ${draw.savedBy}, to be drawn at `}
                  <DateTime value={draw.drawsAt} />
                </span>
              </li>
            ))}
          </ul>
        </section>
      )}
    </div>
  );
}
