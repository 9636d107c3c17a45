import { LIMITS, listLimits, setLimits, type GameLimits, type LimitName } from '@drawhouse/contract/games/limits';
import { Group, Skeleton, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { notifications } from '@mantine/notifications';
import { useQuery } from '@tanstack/react-query';
import { useFormCall } from '../../../lib/form/useFormCall.ts';
import { call, callQuery, errorMessage } from '../../../lib/server/api.ts';
import { reload } from '../../../lib/server/queryClient.ts';
import { CallForm, SubmitButton } from '../../../ui/form/CallForm.tsx';
import { ErrorState } from '../../../ui/page/PageStates.tsx';
import { limitNotes, limitProblem, limitUpdates } from './limitRows.ts';
import { cellName } from './rowForm.ts';
import { gameTexts } from '../gameTexts.ts';

const FIELDS = Object.keys(LIMITS) as LimitName[];

export function TableLimits({ adminId, gameId }: { adminId: string; gameId: string }) {
  const { data, error, refetch } = useQuery(
    callQuery(['games', 'limits', adminId], listLimits, { params: { adminId } }),
  );
  const row = data?.data.find((each) => each.gameId === gameId);
  if (row) return <LimitsForm key={row.id} adminId={adminId} row={row} />;
  if (error) return <ErrorState message={errorMessage(error)} onRetry={() => void refetch()} />;
  return <Skeleton height={120} aria-busy />;
}

function LimitsForm({ adminId, row }: { adminId: string; row: GameLimits }) {
  const form = useForm<Record<LimitName, string>>({
    initialValues: {
      perNumber: textOf(row.perNumber),
      perTicket: textOf(row.perTicket),
      perPlayer: textOf(row.perPlayer),
    },
    validateInputOnBlur: true,
    validate: { perNumber: limitProblem, perTicket: limitProblem, perPlayer: limitProblem },
  });
  const typed = Object.fromEntries(FIELDS.map((field) => [cellName(row.id, field), form.values[field]]));
  const notes = limitNotes(row, typed);
  const save = useFormCall(form, {
    send: () => call(setLimits, { params: { adminId }, body: { updates: limitUpdates([row], typed) } }),
    ownNames: Object.fromEntries(FIELDS.map((field) => [`updates.0.${field}`, field])),
    onDone: ({ message }) => {
      form.resetDirty();
      notifications.show({ message });
      return reload(['games'], ['live']);
    },
  });
  return (
    <CallForm
      label={gameTexts.limitsOf(row.gameName)}
      call={save}
      guarded={false}
      foot={
        <SubmitButton variant="default" loading={save.busy} disabled={!form.isDirty()}>
          {gameTexts.saveLimits}
        </SubmitButton>
      }
    >
      <Text component="h3" size="sm" fw={600}>
        {gameTexts.limits}
      </Text>
      <Group grow align="start" gap="xs" preventGrowOverflow={false}>
        {FIELDS.map((field) => (
          <div key={field}>
            <TextInput
              label={LIMITS[field]}
              placeholder={gameTexts.noLimit}
              inputMode="decimal"
              {...form.getInputProps(field)}
            />
            {notes[field] !== undefined && (
              <Text size="xs" c="dimmed">
                {notes[field]}
              </Text>
            )}
          </div>
        ))}
      </Group>
    </CallForm>
  );
}

function textOf(limit: number | null): string {
  return limit === null ? '' : String(limit);
}
