import { usePathname } from '../../../lib/navigation.ts';
import type { LivePair } from '@drawhouse/contract/games/game-pair';
import { commonTexts } from '../../../commonTexts.ts';
import { Anchor, VisuallyHidden } from '@mantine/core';
import { IconBroadcast, IconChevronDown } from '@tabler/icons-react';
import { useId, useState, type ReactNode } from 'react';
import { formatCount } from '../../../lib/format/format.ts';
import { pagePath, panelPath } from '../../../lib/paths.ts';
import { useUser } from '../../../lib/session/session.ts';
import { FailureText } from '../../../lib/RequestId.tsx';
import { PathLink } from '../../../ui/page/PathLink.tsx';
import { groupsOfOthers, pairKey, searchPairs, useLivePairs } from './livePairs.ts';
import classes from '../Sidebar.module.css';
import { shellTexts } from '../shellTexts.ts';

const SEARCHED_FROM = 10;

export function LiveMenu() {
  const [search, setSearch] = useState('');
  const { pairs, error, retry } = useLivePairs();
  const current = useCurrentPair(pairs);
  const found = searchPairs(pairs ?? [], search);
  const { _id, role } = useUser();
  const groups = groupsOfOthers(found, _id);
  const all = pagePath(role, 'game');
  const isAll = usePathname() === all;

  return (
    <Fold label={shellTexts.liveResult} icon={<IconBroadcast size={18} stroke={1.6} aria-hidden />} open>
      <PathLink href={all} className={`${classes.item} ${classes.sub}`} aria-current={isAll ? 'page' : undefined}>
        {shellTexts.allTables}
      </PathLink>
      {error !== null && (
        <p className={classes.note}>
          <span role="alert">
            <FailureText message={error} />
          </span>{' '}
          <Anchor component="button" type="button" inherit onClick={retry}>
            {shellTexts.tryAgain}
          </Anchor>
        </p>
      )}
      {pairs?.length === 0 && <p className={classes.note}>{shellTexts.noGamesYet}</p>}
      {pairs && pairs.length > SEARCHED_FROM && (
        <input
          type="search"
          className={classes.search}
          aria-label={shellTexts.searchLivePanels}
          placeholder={shellTexts.searchLivePanels}
          value={search}
          onChange={(event) => setSearch(event.currentTarget.value)}
        />
      )}
      {pairs && pairs.length > 0 && found.length === 0 && <p className={classes.note}>{shellTexts.noPanelsMatch}</p>}
      {groups ? (
        groups.map((group) => (
          <Fold
            // Remounts to reset the fold.
            key={`${group.adminId} ${current?.adminId === group.adminId} ${search !== ''}`}
            label={group.pairs[0]?.testNetwork ? `${group.username} (${commonTexts.testNetwork})` : group.username}
            count={group.pairs.length}
            open={search !== '' || groups.length === 1 || current?.adminId === group.adminId}
            sub
          >
            <PanelLinks pairs={group.pairs} current={current} admin={group.username} />
          </Fold>
        ))
      ) : (
        <PanelLinks pairs={found} current={current} />
      )}
    </Fold>
  );
}

function useCurrentPair(pairs: readonly LivePair[] | undefined): LivePair | undefined {
  const { role } = useUser();
  const pathname = usePathname();
  const path = decodeURI(pathname);
  return pairs?.find((pair) => path === decodeURI(panelPath(role, pair.gameId, pair.adminId, pair.username)));
}

interface PanelLinksProps {
  pairs: readonly LivePair[];
  current: LivePair | undefined;
  /** Read by screen readers, since the group's heading may be far above. Absent for the user's own tables. */
  admin?: string;
}

function PanelLinks({ pairs, current, admin }: PanelLinksProps) {
  const { role } = useUser();
  return (
    <ul className={classes.items}>
      {pairs.map((pair) => (
        <li key={pairKey(pair)}>
          <PathLink
            ref={pair === current ? scrollIntoViewRef : undefined}
            href={panelPath(role, pair.gameId, pair.adminId, pair.username)}
            className={`${classes.item} ${classes.sub}`}
            aria-current={pair === current ? 'page' : undefined}
          >
            <span className={classes.pair}>
              {pair.gameName}
              {admin !== undefined && <VisuallyHidden> {admin}</VisuallyHidden>}
            </span>
          </PathLink>
        </li>
      ))}
    </ul>
  );
}

interface FoldProps {
  label: string;
  icon?: ReactNode;
  count?: number;
  open: boolean;
  sub?: boolean;
  children: ReactNode;
}

function Fold({ label, icon, count, open, sub = false, children }: FoldProps) {
  const id = useId();
  const [opened, setOpened] = useState(open);
  return (
    <>
      <button
        type="button"
        className={`${classes.item} ${sub ? classes.admin : ''}`}
        aria-expanded={opened}
        aria-controls={id}
        onClick={() => setOpened((now) => !now)}
      >
        {icon}
        <span className={classes.grow}>{label}</span>
        {count !== undefined && <span className={classes.count}>{formatCount(count)}</span>}
        <IconChevronDown size={16} aria-hidden className={classes.chevron} />
      </button>
      <div id={id} hidden={!opened}>
        {opened && children}
      </div>
    </>
  );
}

export function scrollIntoViewRef(node: HTMLElement | null): void {
  node?.scrollIntoView({ block: 'nearest' });
}
