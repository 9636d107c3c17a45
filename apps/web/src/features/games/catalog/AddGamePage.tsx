import { addGame } from '@drawhouse/contract/games/game-catalogue';
import { useForm } from '@mantine/form';
import { notifications } from '@mantine/notifications';
import { call } from '../../../lib/server/api.ts';
import { reload } from '../../../lib/server/queryClient.ts';
import { pagePath } from '../../../lib/paths.ts';
import { useFormCall } from '../../../lib/form/useFormCall.ts';
import { useWayBack } from '../../../lib/navigation.ts';
import { useUser } from '../../../lib/session/session.ts';
import { FormPage } from '../../../ui/form/FormPage.tsx';
import { GameFields } from './GameFields.tsx';
import { emptyGameForm, formDataOfGame, gameErrors, type GameForm } from './gameForm.ts';
import { GAME_MESSAGE_MS, gameTexts } from '../gameTexts.ts';

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
    <FormPage title={gameTexts.add} call={add} submitLabel="Submit" busyLabel={gameTexts.submitting} onCancel={back}>
      <GameFields form={form} />
    </FormPage>
  );
}
