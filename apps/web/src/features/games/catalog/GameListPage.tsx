import { deleteGame, GAME_STATUS, gameList, type GameStatus } from '@drawhouse/contract/games/game-catalogue';
import {
  IconDice5,
  IconPencil,
  IconPlayerPause,
  IconPlayerPlay,
  IconTrash,
  IconAlertTriangle,
} from '@tabler/icons-react';
import { useState } from 'react';
import { formatCalendarDay, formatPoints } from '../../../lib/format/format.ts';
import { prefetched } from '../../../lib/lazyParts.ts';
import { pagePath } from '../../../lib/paths.ts';
import { useList } from '../../../lib/list/useList.ts';
import { useUser } from '../../../lib/session/session.ts';
import { AddLink, HeadLink } from '../../../ui/page/PageHeader.tsx';
import { ListPage } from '../../../ui/page/ListPage.tsx';
import type { Cells } from '../../../ui/table/columns/listColumns.tsx';
import type { RowAction } from '../../../ui/table/rows/RowActions.tsx';
import { StatusBadge } from '../../../ui/mark/StatusBadge.tsx';
import { gameTexts, type GameAction } from '../gameTexts.ts';
import { highestReturn, type Game } from '@drawhouse/contract/games/games';
import { Tooltip } from '@mantine/core';
import { RETURN_MARKS, returnSentence } from '../../../lib/format/returns.ts';
import classes from './GameReturns.module.css';

const useDialog = prefetched(() => import('./GamePages.tsx'));

const TONES = { active: 'good', inactive: 'bad', 'coming-soon': 'warn' } as const satisfies Record<GameStatus, string>;

const CELLS: Cells<Game> = {
  status: ({ status }) => (
    <StatusBadge tone={TONES[status as GameStatus] ?? 'neutral'}>
      {GAME_STATUS[status as GameStatus] ?? status}
    </StatusBadge>
  ),
  return: (game) => <HighestReturn game={game} />,
  releaseDate: ({ releaseDate }) => formatCalendarDay(releaseDate),
};

export function GameListPage() {
  const { role } = useUser();
  const view = useList(gameList, { name: 'gamemaster', queryKey: ['games', 'list'] });
  const [target, setTarget] = useState<{ action: GameAction; game: Game } | null>(null);
  const dialog = useDialog(target !== null);
  const base = pagePath(role, 'gamemaster');
  const add = { label: gameTexts.add, href: `${base}/create` };
  const actionsOf = (game: Game): RowAction[] => {
    const ask = (action: GameAction) => ({
      id: action === 'delete' ? action : 'toggle',
      label: gameTexts.ask[action].label,
      onClick: () => setTarget({ action, game }),
    });
    return [
      { id: 'edit', label: gameTexts.editGame, icon: IconPencil, href: `${base}/edit/${game._id}`, prominent: true },
      game.status === 'active'
        ? { ...ask('deactivate'), icon: IconPlayerPause, prominent: true }
        : { ...ask('activate'), icon: IconPlayerPlay, prominent: true },
      { ...ask('delete'), icon: IconTrash, danger: true },
    ];
  };
  return (
    <>
      <ListPage
        view={{ ...view, error: view.error === null ? null : gameTexts.fetchFailed }}
        title={gameTexts.title}
        route={deleteGame}
        rowsName="games"
        rowKey={({ _id }) => _id}
        rowLabel={({ gameName }) => gameName}
        rowHref={({ _id }) => `${base}/edit/${_id}`}
        cells={CELLS}
        actions={actionsOf}
        actionsName="Actions"
        back={<HeadLink name={gameTexts.beacons} icon={IconDice5} href={pagePath(role, 'beacons')} />}
        action={<AddLink {...add} />}
        empty={{
          title: gameTexts.noGamesYet,
          text: gameTexts.theyAppearHereAs,
          action: <AddLink {...add} again />,
        }}
      />
      {dialog && <dialog.GameDialog target={target} onClose={() => setTarget(null)} />}
    </>
  );
}

function HighestReturn({ game }: { game: Pick<Game, 'returns'> }) {
  const isAbove = game.returns.some(({ mark }) => mark === 'above');
  return (
    <Tooltip label={returnSentence(game)} openDelay={300} multiline maw={280}>
      <span className={isAbove ? classes.above : undefined}>
        {isAbove && <IconAlertTriangle className={classes.mark} size={14} aria-label={RETURN_MARKS.above.name} />}
        {`${formatPoints(highestReturn(game))}\u{a0}%`}
      </span>
    </Tooltip>
  );
}
