import { id as anId } from '@drawhouse/contract/core/primitives';
import type { RouteAnswer } from '@drawhouse/contract/core/route';
import { addTime, changeTime, oneTime, TIME_SECONDS, deleteTime, type DrawTime } from '@drawhouse/contract/games/times';
import { ApiError } from '@drawhouse/session/api-client';
import { richText } from '@drawhouse/session/rich-text';
import { Skeleton, Stack, Text, TextInput } from '@mantine/core';
import { useForm, type UseFormReturnType } from '@mantine/form';
import { notifications } from '@mantine/notifications';
import { useQuery } from '@tanstack/react-query';
import { call, callQuery, errorMessage } from '../../../lib/server/api.ts';
import { queryClient, reload } from '../../../lib/server/queryClient.ts';
import { pagePath } from '../../../lib/paths.ts';
import { useFormCall } from '../../../lib/form/useFormCall.ts';
import { useWayBack } from '../../../lib/navigation.ts';
import { useUser } from '../../../lib/session/session.ts';
import { ErrorState } from '../../../ui/page/PageStates.tsx';
import { NotFoundState } from '../../../ui/page/NotFoundState.tsx';
import { AsideColumn, FormPage } from '../../../ui/form/FormPage.tsx';
import { PageHeader } from '../../../ui/page/PageHeader.tsx';
import { beginsAt, intervalText, secondsOf, timeErrors, type TimeForm } from './timeForm.ts';
import { gameTexts, timeTexts } from '../gameTexts.ts';
import { formatExactTime } from '../../../lib/format/format.ts';
import classes from '../games.module.css';
import { useConfirmCall } from '../../../lib/form/useConfirmCall.ts';
import { ConfirmDialog } from '../../../ui/dialog/ConfirmDialog.tsx';

export function EditTimePage({ id }: { id: string }) {
  const { role } = useUser();
  const isId = anId.safeParse(id).success;
  const { data, error, refetch, isFetchedAfterMount } = useQuery({
    ...callQuery(['games', 'time', id], oneTime, { params: { id } }),
    refetchOnMount: 'always',
    enabled: isId,
  });
  const isMissing = !isId || (error instanceof ApiError && error.status === 404);
  if (data && isFetchedAfterMount && !isMissing) return <EditForm key={id} time={data} />;
  return (
    <>
      <PageHeader title={timeTexts.edit} />
      {isMissing ? (
        <NotFoundState what={timeTexts.notFound} to={{ label: timeTexts.title, href: pagePath(role, 'timemaster') }} />
      ) : error ? (
        <ErrorState message={errorMessage(error)} onRetry={() => void refetch()} />
      ) : (
        <Stack gap="md" maw={420} aria-hidden>
          <Skeleton height={56} />
        </Stack>
      )}
    </>
  );
}

function EditForm({ time: { data, serverTime } }: { time: RouteAnswer<typeof oneTime> }) {
  const { role } = useUser();
  const { back, backLater } = useWayBack(pagePath(role, 'timemaster'));
  const form = useForm<TimeForm>({
    initialValues: { timecount: data.timecount },
    validate: timeErrors,
  });
  const update = useFormCall(form, {
    send: ({ timecount }) =>
      call(
        changeTime,
        { params: { id: data._id }, body: { timecount: Number(timecount) } },
        { fallback: timeTexts.updateFailed },
      ),
    onDone: ({ message }) => {
      notifications.show({ message });
      backLater();
      return queryClient.invalidateQueries({
        predicate: ({ queryKey: [first, second] }) => first === 'games' && second !== 'time',
      });
    },
    leaves: true,
  });
  return (
    <FormPage
      title={timeTexts.edit}
      of={`${data.timecount} s`}
      call={update}
      route={changeTime}
      submitLabel={timeTexts.update}
      busyLabel={timeTexts.updating}
      onCancel={back}
    >
      <AsideColumn>
        {data.timecount < TIME_SECONDS.min && <Text size="sm">{timeTexts.short}</Text>}
        <TimeUse games={data.games} seconds={form.isDirty() ? secondsOf(form.values) : null} now={serverTime} />
      </AsideColumn>
      <SecondsField form={form} />
    </FormPage>
  );
}

type Games = RouteAnswer<typeof oneTime>['data']['games'];

interface TimeUseProps {
  games: Games;
  seconds: number | null;
  now: string;
}

function TimeUse({ games, seconds, now }: TimeUseProps) {
  if (games.length === 0) return <p className={classes.lead}>{timeTexts.unused}</p>;
  const drawing = games.filter((game) => game.draws);
  const others = games.filter((game) => !game.draws);
  const moments = Map.groupBy(drawing, (game) => (seconds === null ? '' : beginsAt(seconds, game.runsUntil, now)));
  return (
    <section className={classes.use} aria-label={gameTexts.games} aria-live="polite">
      {[...moments].map(([moment, some]) => (
        <div key={moment}>
          <p className={classes.lead}>
            {moment === '' || seconds === null
              ? gameTexts.atThisInterval(countOf(some))
              : richText(gameTexts.everyFromIfYou, {
                  some: countOf(some),
                  seconds: intervalText(seconds),
                  strong: <strong>{formatExactTime(moment)}</strong>,
                })}
          </p>
          <ul className={classes.games}>
            {some.map((game) => (
              <li key={game._id}>{game.gameName}</li>
            ))}
          </ul>
        </div>
      ))}
      {others.length > 0 && (
        <p className={classes.lead}>{gameTexts.drawElsewhere(others.map((game) => game.gameName))}</p>
      )}
    </section>
  );
}

function countOf(games: Games): string {
  return games.length === 1 ? gameTexts.thisGameDraws : gameTexts.theseGamesDraw(games.length);
}

export function SecondsField({ form }: { form: UseFormReturnType<TimeForm> }) {
  return (
    <TextInput
      label={timeTexts.seconds}
      description={timeTexts.secondsHint}
      inputMode="numeric"
      {...form.getInputProps('timecount')}
      value={String(form.values.timecount)}
      onChange={(event) => {
        const text = event.currentTarget.value.trim();
        form.setFieldValue('timecount', /^\d{1,9}$/.test(text) ? Number(text) : text);
      }}
    />
  );
}

export function AddTimePage() {
  const { role } = useUser();
  const { back, backLater } = useWayBack(pagePath(role, 'timemaster'));
  const form = useForm<TimeForm>({
    initialValues: { timecount: '' },
    validate: timeErrors,
  });
  const create = useFormCall(form, {
    send: ({ timecount }) =>
      call(addTime, { body: { timecount: Number(timecount) } }, { fallback: timeTexts.createFailed }),
    onDone: ({ message }) => {
      notifications.show({ message });
      backLater();
      return reload(['games', 'times']);
    },
    leaves: true,
  });
  return (
    <FormPage
      title={timeTexts.add}
      call={create}
      route={addTime}
      submitLabel={timeTexts.create}
      busyLabel={timeTexts.creating}
      onCancel={back}
    >
      <SecondsField form={form} />
    </FormPage>
  );
}

export function TimeDialog({ target, onClose }: { target: DrawTime | null; onClose: () => void }) {
  const { shown, dialog } = useConfirmCall(target, {
    send: ({ _id: id }) => call(deleteTime, { params: { id } }, { fallback: timeTexts.deleteFailed }),
    onDone: ({ message }) => {
      notifications.show({ message });
      void reload(['games', 'times']);
    },
    onClose,
  });
  return (
    <ConfirmDialog {...dialog} title={timeTexts.deleteTitle} danger>
      {shown && timeTexts.deleteQuestion(shown.timecount)}
      {shown && <Text mt="xs">{shown.games.length > 0 ? timeTexts.deleteInUse : timeTexts.deleteUnused}</Text>}
    </ConfirmDialog>
  );
}
