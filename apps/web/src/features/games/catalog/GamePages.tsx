import { id as anId } from '@drawhouse/contract/core/primitives';
import type { RouteAnswer } from '@drawhouse/contract/core/route';
import { addGame, changeGame, oneGame, deleteGame, toggleGame } from '@drawhouse/contract/games/game-catalogue';
import { GAME_FIELD_TEXTS } from '@drawhouse/contract/games/game-texts';
import type { Game } from '@drawhouse/contract/games/games';
import { ApiError } from '@drawhouse/session/api-client';
import { Button, Skeleton, Stack, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { notifications } from '@mantine/notifications';
import { useQuery } from '@tanstack/react-query';
import { call, callQuery, errorMessage } from '../../../lib/server/api.ts';
import { reload, queryClient } from '../../../lib/server/queryClient.ts';
import { pagePath } from '../../../lib/paths.ts';
import { useFormCall } from '../../../lib/form/useFormCall.ts';
import { useWayBack } from '../../../lib/navigation.ts';
import { useUser } from '../../../lib/session/session.ts';
import { EmptyState, ErrorState } from '../../../ui/page/PageStates.tsx';
import { FormPage } from '../../../ui/form/FormPage.tsx';
import { PageHeader } from '../../../ui/page/PageHeader.tsx';
import { PathLink } from '../../../ui/page/PathLink.tsx';
import { GameFields } from './GameFields.tsx';
import { changesOfGame, emptyGameForm, formDataOfGame, formOfGame, gameErrors, type GameForm } from './gameForm.ts';
import { GAME_MESSAGE_MS, gameTexts, type GameAction } from '../gameTexts.ts';
import { useConfirmCall } from '../../../lib/form/useConfirmCall.ts';
import { ConfirmDialog } from '../../../ui/dialog/ConfirmDialog.tsx';

const FIELDS = [1, 2, 3, 4, 5, 6];

export function EditGamePage({ id }: { id: string }) {
  const { role } = useUser();
  const isId = anId.safeParse(id).success;
  const { data, error, refetch, isFetchedAfterMount } = useQuery({
    ...callQuery(['games', 'one', id], oneGame, { params: { id } }),
    refetchOnMount: 'always',
    enabled: isId,
  });
  const isMissing = !isId || (error instanceof ApiError && error.status === 404);
  if (data && isFetchedAfterMount && !isMissing) return <EditForm game={data.data} fixed={whyFixed(data)} />;
  return (
    <>
      <PageHeader title={gameTexts.edit} />
      {isMissing ? (
        <div role="alert">
          <EmptyState
            title={GAME_FIELD_TEXTS.notFound}
            action={
              <Button variant="default" component={PathLink} href={pagePath(role, 'gamemaster')}>
                {gameTexts.title}
              </Button>
            }
          />
        </div>
      ) : error ? (
        <ErrorState message={errorMessage(error)} onRetry={() => void refetch()} />
      ) : (
        <Stack gap="md" maw={420} aria-hidden>
          {FIELDS.map((field) => (
            <Skeleton key={field} height={56} />
          ))}
        </Stack>
      )}
    </>
  );
}

function whyFixed({ hasDraws, silentCell }: RouteAnswer<typeof oneGame>): string | null {
  if (hasDraws) return gameTexts.thisGameHasHad;
  return silentCell === undefined ? null : gameTexts.fixedWhileSilent(silentCell);
}

function EditForm({ game, fixed }: { game: Game; fixed: string | null }) {
  const { role } = useUser();
  const { back, backLater } = useWayBack(pagePath(role, 'gamemaster'));
  const form = useForm<GameForm>({
    initialValues: formOfGame(game),
    validateInputOnBlur: true,
    validate: (values) => gameErrors('edit', values, game.gameId),
  });
  const changesOf = (values: GameForm) => changesOfGame(form.getInitialValues(), values, game.gameId);
  const change = useFormCall(form, {
    send: (values) =>
      call(
        changeGame,
        { params: { id: game._id }, body: changesOf(values) as never },
        { fallback: gameTexts.updateFailed },
      ),
    beforeSend: (values, proceed) => {
      if (changesOf(values)) proceed();
      else notifications.show({ message: gameTexts.unchanged });
    },
    onDone: ({ message }) => {
      notifications.show({ message, autoClose: GAME_MESSAGE_MS });
      backLater();
      return reload(['games']);
    },
    clearAfterMs: GAME_MESSAGE_MS,
    leaves: true,
  });
  return (
    <FormPage
      title={gameTexts.edit}
      of={game.gameName}
      call={change}
      route={changeGame}
      submitLabel="Submit"
      busyLabel={gameTexts.updating}
      onCancel={back}
    >
      <GameFields form={form} game={game} fixed={fixed} />
    </FormPage>
  );
}

export function AddGamePage() {
  const { role, username } = useUser();
  const { back, backLater } = useWayBack(pagePath(role, 'gamemaster'));
  const form = useForm<GameForm>({
    initialValues: emptyGameForm(username),
    validateInputOnBlur: true,
    validate: (values) => gameErrors('add', values, ''),
  });
  const add = useFormCall(form, {
    send: (values) => call(addGame, { body: formDataOfGame(values) as never }, { fallback: gameTexts.createFailed }),
    onDone: ({ message }) => {
      notifications.show({ message, autoClose: GAME_MESSAGE_MS });
      backLater();
      return reload(['games']);
    },
    ownNames: { gameDescription: 'description', gameStatus: 'status' },
    clearAfterMs: GAME_MESSAGE_MS,
    leaves: true,
  });
  return (
    <FormPage
      title={gameTexts.add}
      call={add}
      route={addGame}
      submitLabel="Submit"
      busyLabel={gameTexts.submitting}
      onCancel={back}
    >
      <GameFields form={form} />
    </FormPage>
  );
}

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
