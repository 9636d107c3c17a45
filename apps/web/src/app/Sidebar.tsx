import type { Role } from '@drawhouse/contract/primitives';
import { useRouterState } from '@tanstack/react-router';
import { useId } from 'react';
import { pagePath } from '../lib/paths.ts';
import { useUser } from '../lib/useSession.ts';
import { PathLink } from '../ui/PathLink.tsx';
import { intoSight } from './intoSight.ts';
import { LiveMenu } from './LiveMenu.tsx';
import { belongsTo, hasLiveMenu, MENU_GROUPS, STAFF_PAGES } from './staffPages.ts';
import type { MenuGroup } from './staffPages.ts';
import classes from './Sidebar.module.css';

/** However long the live panels' part is, what comes after it stays in sight. */
const KEPT_FROM = MENU_GROUPS.indexOf('Logs Activity');

/** The menu of the signed-in role, group by group. */
export function Sidebar() {
  const { role } = useUser();
  return (
    <nav className={classes.menu} aria-label="Main menu">
      <div className={classes.scroll}>
        {MENU_GROUPS.slice(0, KEPT_FROM).map((group) => (
          <MenuSection key={group} group={group} role={role} />
        ))}
      </div>
      <div className={classes.kept}>
        {MENU_GROUPS.slice(KEPT_FROM).map((group) => (
          <MenuSection key={group} group={group} role={role} />
        ))}
      </div>
    </nav>
  );
}

function MenuSection({ group, role }: { group: MenuGroup; role: Role }) {
  const headingId = useId();
  const pathname = useRouterState({ select: (state) => state.location.pathname });
  const pages = STAFF_PAGES.filter((entry) => entry.group === group && entry.roles.includes(role));
  const live = group === 'Live Reports' && hasLiveMenu(role);
  if (pages.length === 0 && !live) return null;
  return (
    <section className={classes.group} aria-labelledby={headingId}>
      <p id={headingId} className={classes.heading}>
        {group}
      </p>
      {live && <LiveMenu />}
      {pages.length > 0 && (
        <ul className={classes.items}>
          {pages.map((entry) => {
            const path = pagePath(role, entry.page);
            const current = belongsTo(entry, pathname.slice(pagePath(role, '').length));
            return (
              <li key={entry.page}>
                <PathLink
                  ref={current ? intoSight : undefined}
                  href={path}
                  className={classes.item}
                  aria-current={current ? 'page' : undefined}
                >
                  <entry.icon size={18} stroke={1.6} aria-hidden />
                  {entry.label}
                </PathLink>
              </li>
            );
          })}
        </ul>
      )}
    </section>
  );
}
