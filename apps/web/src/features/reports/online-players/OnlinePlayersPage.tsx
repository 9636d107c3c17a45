import { type OnlinePlayer, onlinePlayers } from '@drawhouse/contract/reports/online-players';
import { Button } from '@mantine/core';
import { IconLogout, IconReceipt } from '@tabler/icons-react';
import { type ListState, sortOf } from '../../../lib/list/listUrl.ts';
import { accountPath, detailsPath } from '../../../lib/paths.ts';
import { useList } from '../../../lib/list/useList.ts';
import { useUser } from '../../../lib/session/session.ts';
import { may } from '../../../lib/session/rights.ts';
import { commonTexts } from '../../../commonTexts.ts';
import { ChoiceButton } from '../../../ui/form/Choices.tsx';
import { DateTime } from '../../../ui/mark/DateTime.tsx';
import type { Cells } from '../../../ui/table/columns/listColumns.tsx';
import { ListPage } from '../../../ui/page/ListPage.tsx';
import { OnlineBadge } from '../../../ui/mark/StatusBadge.tsx';
import { onlinePlayersTexts } from '../reportTexts.ts';

const TITLE = onlinePlayersTexts.onlinePlayers;
const LIVE_EVERY_MS = 3_000;
/** Sorting all players sums each one's day. */
const ALL_BY_SUMS_EVERY_MS = 30_000;
const SUMS = ['playPoints', 'winPoints', 'claimPoints', 'endPoints'];

export function OnlinePlayersPage({ onSignOut }: { onSignOut: (player: OnlinePlayer) => void }) {
  const { role } = useUser();
  const view = useList(onlinePlayers, {
    name: 'onlineplayers',
    queryKey: ['accounts', 'online'],
    keptParams: ['show'],
    liveEveryMs,
  });
  const showsAll = view.state['show'] === 'all';
  const showAll = () => view.change({ show: 'all' });
  return (
    <>
      <ListPage
        view={view}
        title={TITLE}
        rowsName={showsAll ? 'players' : 'online players'}
        rowKey={(row) => row._id}
        rowLabel={(row) => row.username}
        rowHref={(row) => detailsPath(role, 'user', row._id)}
        cells={CELLS}
        actions={(row) => [
          {
            id: 'statement',
            label: commonTexts.statement.title,
            icon: IconReceipt,
            href: accountPath(role, 'user', 'statement', row._id),
            prominent: true,
          },
          ...(may('accounts')
            ? [
                {
                  id: 'logout',
                  label: commonTexts.accounts.forceLogout.label,
                  icon: IconLogout,
                  onClick: () => onSignOut(row),
                  prominent: true,
                },
              ]
            : []),
        ]}
        controls={
          <>
            <ChoiceButton chosen={!showsAll} onClick={() => view.change({ show: undefined })}>
              {commonTexts.accounts.online}
            </ChoiceButton>
            <ChoiceButton chosen={showsAll} onClick={showAll}>
              {onlinePlayersTexts.all}
            </ChoiceButton>
          </>
        }
        empty={
          showsAll
            ? { title: onlinePlayersTexts.noPlayersYet, text: onlinePlayersTexts.everyPlayerBelowYou }
            : {
                title: onlinePlayersTexts.noOneIsOnline,
                text: onlinePlayersTexts.playersAreListedFrom,
                action: (
                  <Button variant="default" onClick={showAll}>
                    {onlinePlayersTexts.showAllPlayers}
                  </Button>
                ),
              }
        }
      />
    </>
  );
}

function liveEveryMs({ show, sort = '' }: ListState): number {
  return show === 'all' && SUMS.includes(sortOf(sort).id) ? ALL_BY_SUMS_EVERY_MS : LIVE_EVERY_MS;
}

const CELLS: Cells<OnlinePlayer> = {
  isOnline: (row) => <OnlineBadge isOnline={row.isOnline} />,
  lastLogin: (row) => <DateTime value={row.lastLogin} relative />,
};
