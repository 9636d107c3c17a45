import type { Role } from '@drawhouse/contract/primitives';
import { ScrollArea } from '@mantine/core';
import { useRouterState } from '@tanstack/react-router';
import { pagePath } from '../lib/paths.ts';
import { useUser } from '../lib/useSession.ts';
import { PathLink } from '../ui/PathLink.tsx';
import { LiveMenu } from './LiveMenu.tsx';
import { belongsTo, hasLiveMenu, MENU_GROUPS, STAFF_PAGES } from './staffPages.ts';
import type { MenuGroup } from './staffPages.ts';
import classes from './Sidebar.module.css';

/** The menu of the signed-in role, group by group. */
export function Sidebar() {
  const { role } = useUser();
  return (
    <ScrollArea className={classes.scroll} type="hover" scrollbarSize={6}>
      <nav className={classes.menu} aria-label="Main menu">
        {MENU_GROUPS.map((group) => (
          <MenuSection key={group} group={group} role={role} />
        ))}
      </nav>
    </ScrollArea>
  );
}

function MenuSection({ group, role }: { group: MenuGroup; role: Role }) {
  const pathname = useRouterState({ select: (state) => state.location.pathname });
  const pages = STAFF_PAGES.filter((entry) => entry.group === group && entry.roles.includes(role));
  const live = group === 'Live Reports' && hasLiveMenu(role);
  if (pages.length === 0 && !live) return null;
  return (
    <section className={classes.group} aria-labelledby={`menu-${group}`}>
      <p id={`menu-${group}`} className={classes.heading}>
        {group}
      </p>
      {live && <LiveMenu />}
      <ul className={classes.items}>
        {pages.map((entry) => {
          const path = pagePath(role, entry.page);
          const current = belongsTo(entry, pathname.slice(pagePath(role, '').length));
          return (
            <li key={entry.page}>
              <PathLink href={path} className={classes.item} aria-current={current ? 'page' : undefined}>
                <entry.icon size={18} stroke={1.6} aria-hidden />
                {entry.label}
              </PathLink>
            </li>
          );
        })}
      </ul>
    </section>
  );
}
