import { deleteGame, toggleGame } from '@drawhouse/contract/games/game-catalogue';
import type { Game } from '@drawhouse/contract/games/games';
import { Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { call } from '../../../lib/server/api.ts';
import { queryClient } from '../../../lib/server/queryClient.ts';
import { useConfirmCall } from '../../../lib/form/useConfirmCall.ts';
import { ConfirmDialog } from '../../../ui/dialog/ConfirmDialog.tsx';
import { GAME_MESSAGE_MS, gameTexts, type GameAction } from '../gameTexts.ts';

export interface GameTarget {
  readonly action: GameAction;
  readonly game: Game;
}

const CONSEQUENCES: Readonly<Record<GameAction, string>> = {
  activate: gameTexts.drawsStartWithNext,
  deactivate: gameTexts.drawsInProgressFinish,
  delete: gameTexts.itIsRemovedFrom,
};

export function GameDialog({ target, onClose }: { target: GameTarget | null; onClose: () => void }) {
  const { shown, dialog } = useConfirmCall(target, {
    send: ({ action, game: { _id: id } }) =>
      action === 'delete'
        ? call(deleteGame, { params: { id } }, { fallback: gameTexts.deleteFailed })
        : call(toggleGame, { params: { id, action } }, { fallback: gameTexts.toggleFailed }),
    onDone: ({ message }) => {
      notifications.show({ message, autoClose: GAME_MESSAGE_MS });
      void queryClient.invalidateQueries({
        predicate: ({ queryKey: [first, second] }) => first === 'games' && second !== 'one',
      });
    },
    onClose,
  });
  const words = shown && gameTexts.ask[shown.action];
  return (
    <ConfirmDialog {...dialog} title={words?.title ?? ''} danger={shown?.action !== 'activate'} confirms={toggleGame}>
      {shown && gameTexts.question(shown.action, shown.game.gameName)}
      {shown && <Text mt="xs">{CONSEQUENCES[shown.action]}</Text>}
    </ConfirmDialog>
  );
}
