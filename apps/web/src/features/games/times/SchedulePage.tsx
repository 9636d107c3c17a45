import {
  addSchedule,
  changeSchedule,
  oneSchedule,
  type AheadDraw,
  type Schedule,
} from '@drawhouse/contract/games/schedules';
import { id as anId } from '@drawhouse/contract/core/primitives';
import { Skeleton, Stack } from '@mantine/core';
import { useForm } from '@mantine/form';
import { notifications } from '@mantine/notifications';
import { useQuery } from '@tanstack/react-query';
import { ApiError } from '@drawhouse/session/api-client';
import { call, callQuery, errorMessage } from '../../../lib/server/api.ts';
import { queryClient } from '../../../lib/server/queryClient.ts';
import { pagePath } from '../../../lib/paths.ts';
import { useFormCall } from '../../../lib/form/useFormCall.ts';
import { useWayBack } from '../../../lib/navigation.ts';
import { useUser } from '../../../lib/session/session.ts';
import { ErrorState } from '../../../ui/page/PageStates.tsx';
import { NotFoundState } from '../../../ui/page/NotFoundState.tsx';
import { FormPage } from '../../../ui/form/FormPage.tsx';
import { PageHeader } from '../../../ui/page/PageHeader.tsx';
import { scheduleTexts as texts } from '../gameTexts.ts';
import { ScheduleFields } from './ScheduleFields.tsx';
import { formOf, NEW_SCHEDULE, readChange, readSchedule, scheduleErrors, type ScheduleForm } from './scheduleForm.ts';

export function SchedulePage({ id }: { id?: string }) {
  return id === undefined ? <EditForm /> : <EditPage id={id} />;
}

function EditPage({ id }: { id: string }) {
  const { role } = useUser();
  const isId = anId.safeParse(id).success;
  const { data, error, refetch, isFetchedAfterMount } = useQuery({
    ...callQuery(['games', 'schedule', id], oneSchedule, { params: { id } }),
    refetchOnMount: 'always',
    enabled: isId,
  });
  const isMissing = !isId || (error instanceof ApiError && error.status === 404);
  if (data && isFetchedAfterMount && !isMissing) return <EditForm key={id} schedule={data.data} ahead={data.ahead} />;
  return (
    <>
      <PageHeader title={texts.edit} />
      {isMissing ? (
        <NotFoundState
          what={texts.notFound}
          to={{ label: texts.title, href: pagePath(role, 'timemaster/schedules') }}
        />
      ) : error ? (
        <ErrorState message={errorMessage(error)} onRetry={() => void refetch()} />
      ) : (
        <Stack gap="md" maw={420} aria-hidden>
          <Skeleton height={56} />
          <Skeleton height={56} />
        </Stack>
      )}
    </>
  );
}

const NONE: readonly AheadDraw[] = [];

function EditForm({ schedule, ahead = NONE }: { schedule?: Schedule; ahead?: readonly AheadDraw[] }) {
  const { role, timeZone } = useUser();
  const { back, backLater } = useWayBack(pagePath(role, 'timemaster/schedules'));
  const form = useForm<ScheduleForm>({
    initialValues: schedule ? formOf(schedule) : NEW_SCHEDULE,
    validate: scheduleErrors,
  });
  const save = useFormCall(form, {
    send: (values) => {
      return schedule
        ? call(
            changeSchedule,
            { params: { id: schedule._id }, body: readChange(values, schedule) },
            { fallback: texts.updateFailed },
          )
        : call(addSchedule, { body: readSchedule(values) }, { fallback: texts.createFailed });
    },
    onDone: ({ message }) => {
      notifications.show({ message });
      backLater();
      return queryClient.invalidateQueries({
        predicate: ({ queryKey: [first, second] }) => first === 'games' && second !== 'schedule',
      });
    },
    leaves: true,
  });
  return (
    <FormPage
      title={schedule ? texts.edit : texts.add}
      {...(schedule && { of: schedule.name })}
      call={save}
      route={changeSchedule}
      submitLabel={schedule ? texts.update : texts.create}
      busyLabel={schedule ? texts.updating : texts.creating}
      onCancel={back}
    >
      <ScheduleFields form={form} timeZone={timeZone} ahead={ahead} />
    </FormPage>
  );
}
