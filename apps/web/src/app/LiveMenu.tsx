import { Anchor } from '@mantine/core';
import { useRouterState } from '@tanstack/react-router';
import { IconBroadcast, IconChevronDown } from '@tabler/icons-react';
import { useState } from 'react';
import { panelPath } from '../lib/paths.ts';
import { useUser } from '../lib/useSession.ts';
import { PathLink } from '../ui/PathLink.tsx';
import { useLivePairs } from './useLivePairs.ts';
import classes from './Sidebar.module.css';

const LIST_ID = 'live-result-menu';

/** The Live Result submenu: one entry per game and admin, labelled with the game's name and the username. */
export function LiveMenu() {
  const user = useUser();
  const pathname = useRouterState({ select: (state) => state.location.pathname });
  const [open, setOpen] = useState(true);
  const { pairs, error, retry } = useLivePairs();

  return (
    <>
      <button
        type="button"
        className={classes.item}
        aria-expanded={open}
        aria-controls={LIST_ID}
        onClick={() => setOpen((now) => !now)}
      >
        <IconBroadcast size={18} stroke={1.6} aria-hidden />
        <span className={classes.grow}>Live Result</span>
        <IconChevronDown size={16} aria-hidden className={classes.chevron} />
      </button>
      <ul id={LIST_ID} className={classes.items} hidden={!open}>
        {error !== null && (
          <li className={classes.note}>
            <span role="alert">{error}</span>{' '}
            <Anchor component="button" type="button" inherit onClick={retry}>
              Try again
            </Anchor>
          </li>
        )}
        {pairs?.length === 0 && <li className={classes.note}>No games yet</li>}
        {pairs?.map((pair) => {
          const path = panelPath(user.role, pair.gameId, pair.adminId, pair.username);
          return (
            <li key={path}>
              <PathLink
                href={path}
                className={`${classes.item} ${classes.sub}`}
                aria-current={decodeURI(pathname) === decodeURI(path) ? 'page' : undefined}
              >
                <span className={classes.pair}>
                  <span className={classes.pairGame}>{pair.gameName}</span>{' '}
                  <span className={classes.pairUser}>{pair.username}</span>
                </span>
              </PathLink>
            </li>
          );
        })}
      </ul>
    </>
  );
}
