import type { dashboard, DashboardChild } from '@drawhouse/contract/reports/dashboard';
import type { Role } from '@drawhouse/contract/core/primitives';
import type { RouteAnswer } from '@drawhouse/contract/core/route';
import { detailsPath, pagePath, withSearch } from '../../../lib/paths.ts';
import { TODAY } from '../../../lib/format/periods.ts';
import { PathLink } from '../../../ui/page/PathLink.tsx';
import { Points } from '../../../ui/mark/Points.tsx';
import cards from './dashboardCard.module.css';
import classes from './Leaders.module.css';
import { dashboardTexts } from './dashboardTexts.ts';

interface LeadersProps {
  role: Role;
  now: RouteAnswer<typeof dashboard>;
}

export function Leaders({ role, now }: LeadersProps) {
  return (
    <div className={classes.lists}>
      <Leading
        role={role}
        title={dashboardTexts.mostPlayToday}
        whose={dashboardTexts.stakedAtOrBelow}
        sort="-playPoints"
        rows={now.mostPlay}
        valueOf={(row) => row.playPoints}
        none={dashboardTexts.noOneBelowYou}
      />
      <Leading
        role={role}
        title={dashboardTexts.largestLossToday}
        whose={dashboardTexts.houseLossWinsMinus}
        sort="endPoints"
        rows={now.mostLoss}
        valueOf={(row) => row.endPoints}
        none={dashboardTexts.houseHasNotLost}
      />
    </div>
  );
}

interface LeadingProps {
  role: Role;
  title: string;
  whose: string;
  sort: string;
  rows: readonly DashboardChild[];
  valueOf: (row: DashboardChild) => number;
  none: string;
}

function Leading({ role, title, whose, sort, rows, valueOf, none }: LeadingProps) {
  const report = pagePath(role, 'turnoverreport');
  return (
    <section className={cards.card}>
      <h2 className={cards.title}>
        <PathLink href={withSearch(report, { period: TODAY, sort })}>{title}</PathLink>
      </h2>
      <p className={classes.whose}>{whose}</p>
      {rows.length === 0 ? (
        <p className={classes.none}>{none}</p>
      ) : (
        <ol className={classes.rows}>
          {rows.map((row) => (
            <li key={row.id} className={classes.row}>
              <Name
                row={row}
                href={
                  row.role === 'user'
                    ? detailsPath(role, 'user', row.id)
                    : withSearch(report, { role: row.role, id: row.id, period: TODAY })
                }
              />
              <Points value={valueOf(row)} inline />
            </li>
          ))}
        </ol>
      )}
    </section>
  );
}

/** Deleted accounts keep their turnover but lose their page. */
function Name({ row: { username, role, deleted }, href }: { row: DashboardChild; href: string }) {
  const shown = { className: classes.name, title: username };
  if (deleted && role === 'user') return <span {...shown}>{username}</span>;
  return (
    <PathLink {...shown} href={href}>
      {username}
    </PathLink>
  );
}
