import type { Role } from '@drawhouse/contract/core/primitives';
import { IconChevronDown } from '@tabler/icons-react';
import { useId, useSyncExternalStore } from 'react';
import { usePathname } from '../../lib/navigation.ts';
import { pagePath } from '../../lib/paths.ts';
import { useUser } from '../../lib/session/session.ts';
import { PathLink } from '../../ui/page/PathLink.tsx';
import { scrollIntoViewRef, LiveMenu } from './live-menu/LiveMenu.tsx';
import { belongsTo, hasLiveMenu, MENU_GROUPS, pagesOf, type MenuGroup } from '../staffPages.ts';
import classes from './Sidebar.module.css';
import { writeStored, readStored, subscribeStored } from '../../lib/devicePreferences.ts';
import { shellTexts } from './shellTexts.ts';
import { waitingApprovals } from '../../lib/session/sessionCalls.ts';
import { approvalTexts } from '../../features/approvals/approvalTexts.ts';
import approvalsClasses from '../../features/approvals/Approvals.module.css';

const OPEN_FROM = MENU_GROUPS.indexOf('Logs Activity');

export function Sidebar() {
  const { role } = useUser();
  return (
    <nav className={classes.menu} aria-label={shellTexts.mainMenu}>
      <div className={classes.scroll}>
        {MENU_GROUPS.slice(0, OPEN_FROM).map((group) => (
          <MenuSection key={group} group={group} role={role} />
        ))}
      </div>
      <div className={classes.kept}>
        {MENU_GROUPS.slice(OPEN_FROM).map((group) => (
          <MenuSection key={group} group={group} role={role} />
        ))}
      </div>
    </nav>
  );
}

function MenuSection({ group, role }: { group: MenuGroup; role: Role }) {
  const id = useId();
  const { folded, toggle } = useGroupFold(group);
  const pathname = usePathname();
  const path = pathname.slice(pagePath(role, '').length);
  const pages = pagesOf(role).filter(
    (entry) => entry.group === group && (entry.menuRoles ?? entry.roles).includes(role),
  );
  const live = group === 'Live Reports' && hasLiveMenu(role);
  if (pages.length === 0 && !live) return null;
  const shown = pages.filter((entry) => !folded || belongsTo(entry, path));
  const showsLive = live && (!folded || belongsTo({ page: 'game' }, path));
  return (
    <section className={classes.group} aria-labelledby={`${id}-name`}>
      <button
        id={`${id}-name`}
        type="button"
        className={classes.heading}
        aria-expanded={!folded}
        aria-controls={id}
        onClick={toggle}
      >
        {group}
        <IconChevronDown size={14} aria-hidden className={classes.chevron} />
      </button>
      <div id={id}>
        {showsLive && <LiveMenu />}
        {shown.length > 0 && (
          <ul className={classes.items}>
            {shown.map((entry) => {
              const current = belongsTo(entry, path);
              return (
                <li key={entry.page}>
                  <PathLink
                    ref={current ? scrollIntoViewRef : undefined}
                    href={pagePath(role, entry.page)}
                    className={classes.item}
                    aria-current={current ? 'page' : undefined}
                  >
                    <entry.icon size={18} stroke={1.6} aria-hidden />
                    {entry.label}
                    {entry.page === 'approvals' && <WaitingCount />}
                  </PathLink>
                </li>
              );
            })}
          </ul>
        )}
      </div>
    </section>
  );
}

const KEY = 'menu';
const FOLDED = 'folded';

export function foldMenu(folded: boolean): void {
  writeStored(KEY, folded ? FOLDED : null);
}

export function useMenuFolded(): boolean {
  return useSyncExternalStore(subscribeStored, () => readStored(KEY) === FOLDED);
}

const GROUPS_KEY = 'menu-groups';

function foldedGroups(): readonly string[] {
  return readStored(GROUPS_KEY)?.split(',') ?? [];
}

function useGroupFold(group: string): { folded: boolean; toggle: () => void } {
  const folded = useSyncExternalStore(subscribeStored, () => foldedGroups().includes(group));
  const toggle = () => {
    const others = foldedGroups().filter((name) => name !== group);
    const groups = folded ? others : [...others, group];
    writeStored(GROUPS_KEY, groups.length === 0 ? null : groups.join(','));
  };
  return { folded, toggle };
}

function WaitingCount() {
  const count = waitingApprovals.useValue();
  return (
    count > 0 && (
      <span className={approvalsClasses.count} title={approvalTexts.waiting(count)}>
        {count}
      </span>
    )
  );
}
