import {
  clearingState,
  countRecords,
  deleteRecords,
  type ClearingState,
  type Counted,
} from '@drawhouse/contract/clearing/clearing';
import {
  CLEARING_TEXTS,
  CLEARING_MODELS,
  CLEARING_ORDER,
  type ClearingModel,
} from '@drawhouse/contract/clearing/clearing-texts';
import { ApiError } from '@drawhouse/session/api-client';
import { Text, Button, Checkbox, CheckboxGroup } from '@mantine/core';
import { useForm } from '@mantine/form';
import { notifications } from '@mantine/notifications';
import { useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { call, callQuery, errorMessage } from '../../lib/server/api.ts';
import { reload } from '../../lib/server/queryClient.ts';
import { useFormCall } from '../../lib/form/useFormCall.ts';
import { useConfirmCall } from '../../lib/form/useConfirmCall.ts';
import { CallForm, SubmitButton } from '../../ui/form/CallForm.tsx';
import { DayInput } from '../../ui/filter/DayInput.tsx';
import { ErrorState } from '../../ui/page/PageStates.tsx';
import { PageHeader } from '../../ui/page/PageHeader.tsx';
import { PageSkeleton, WorkProgress } from '../../ui/page/Loading.tsx';
import { clearingErrors, clearingProblem, EMPTY_CLEARING, type ClearingForm } from './clearingForm.ts';
import { ClearedBefore, ClearedTable, LastClearing } from './ClearingHistory.tsx';
import { clearingTexts, clearingTexts as texts } from './clearingTexts.ts';
import classes from './ClearHistory.module.css';
import { ConfirmDialog } from '../../ui/dialog/ConfirmDialog.tsx';

/** Another tab may start a clearing. */
const LOOK_EVERY_MS = 1_000;
const LOOK_IDLE_MS = 5_000;
const STATE = ['clearing', 'state'] as const;

interface Target {
  readonly choice: ClearingForm;
  readonly counted: Counted;
}

export function ClearHistoryPage() {
  const { data, error, refetch } = useQuery({
    ...callQuery(STATE, clearingState, {}, { background: true }),
    refetchInterval: ({ state }) => (state.data?.running ? LOOK_EVERY_MS : LOOK_IDLE_MS),
  });
  if (!data && !error) return <PageSkeleton shape="form" />;
  return (
    <>
      <PageHeader title={texts.title} />
      {data ? (
        <ClearHistory state={data} onChanged={() => void refetch()} />
      ) : (
        <ErrorState message={errorMessage(error)} onRetry={() => void refetch()} />
      )}
    </>
  );
}

function ClearHistory({ state, onChanged }: { state: ClearingState; onChanged: () => void }) {
  const { form, counting, confirm, begun } = useClearing(onChanged);
  const { running, last, history } = state;
  return (
    <div className={classes.page}>
      <Text className={classes.about}>{texts.about}</Text>
      {running && !begun && (
        <div>
          <WorkProgress work={running} />
          <Text className={classes.about}>{running.kind === 'clearing' ? texts.goesOn : texts.other}</Text>
        </div>
      )}
      <CallForm
        label={texts.title}
        call={counting}
        guarded={false}
        foot={
          <div>
            <SubmitButton color="red" loading={counting.status === 'pending'} disabled={running !== null || begun}>
              {texts.clear}
            </SubmitButton>
          </div>
        }
      >
        <div className={classes.days}>
          <DayInput label={texts.start} w={170} {...form.getInputProps('startDate')} value={form.values.startDate} />
          <DayInput label={texts.end} w={170} {...form.getInputProps('endDate')} value={form.values.endDate} />
        </div>
        <Text size="sm" c="dimmed">
          {texts.daysOf(state.timeZone, state.retentionDays)}
        </Text>
        <ModelChoice {...form.getInputProps('models')} value={form.values.models} />
      </CallForm>
      <ClearingDialog counted={confirm.shown?.counted} progress={begun ? running : null} {...confirm.dialog} />
      {last && !running && <LastClearing last={last} />}
      <ClearedBefore history={history} />
    </div>
  );
}

function useClearing(onChanged: () => void) {
  const [target, setTarget] = useState<Target | null>(null);
  const [begun, setBegun] = useState(false);
  const form = useForm<ClearingForm>({
    initialValues: EMPTY_CLEARING,
    validate: clearingErrors,
    validateInputOnChange: false,
  });
  const counting = useFormCall(form, {
    send: async (choice) => ({
      choice,
      counted: await call(countRecords, { body: choice }, { fallback: CLEARING_TEXTS.failed }),
    }),
    formError: clearingProblem,
    onDone: (found) => setTarget(found),
  });
  const confirm = useConfirmCall(target, {
    async send({ choice }) {
      setBegun(true);
      const look = setInterval(onChanged, LOOK_EVERY_MS);
      try {
        return await call(deleteRecords, { body: choice }, { fallback: CLEARING_TEXTS.failed });
      } catch (error) {
        throw error instanceof ApiError && error.status === 0
          ? new ApiError(error.code, CLEARING_TEXTS.failed, { fields: error.fields, sent: error.sent })
          : error;
      } finally {
        clearInterval(look);
        setBegun(false);
        onChanged();
      }
    },
    onDone({ message }) {
      notifications.show({ message });
      form.reset();
      void reload(['reports'], ['activity'], ['credit']);
    },
    onClose: () => setTarget(null),
  });
  return { form, counting, confirm, begun };
}

interface ClearingDialogProps {
  counted: Counted | undefined;
  progress: ClearingState['running'];
  opened: boolean;
  busy: boolean;
  error: string | null;
  onConfirm: () => void;
  onClose: () => void;
}

function ClearingDialog({ counted, progress, opened, busy, error, onConfirm, onClose }: ClearingDialogProps) {
  if (!counted) return null;
  const { days, daysLeft, models } = counted;
  const isNothing = days === null || models.every(({ rows }) => rows === 0);
  return (
    <ConfirmDialog
      opened={opened}
      title={days === null || isNothing ? texts.nothing : texts.question(days)}
      size="lg"
      confirmLabel={texts.confirm}
      cancelLabel={isNothing ? clearingTexts.close : clearingTexts.cancel}
      danger
      busy={busy}
      error={error}
      confirms={isNothing ? undefined : deleteRecords}
      onConfirm={isNothing ? null : onConfirm}
      onClose={onClose}
    >
      {daysLeft !== null && <Text className={classes.daysLeft}>{daysLeft}</Text>}
      {models.length > 0 && <ClearedTable models={models} of={texts.heads.rows} />}
      {!isNothing && <Text className={classes.note}>{texts.noReturn}</Text>}
      {progress?.kind === 'clearing' && (
        <div className={classes.note}>
          <WorkProgress work={progress} />
        </div>
      )}
    </ConfirmDialog>
  );
}

interface ModelChoiceProps {
  value: ClearingModel[];
  onChange?: (models: ClearingModel[]) => void;
  error?: ReactNode;
}

function ModelChoice({ value, onChange, error }: ModelChoiceProps) {
  return (
    <CheckboxGroup
      value={value}
      onChange={(models) => onChange?.(models)}
      label={
        <span className={classes.modelsHead}>
          {texts.models}
          <span>
            <Button variant="subtle" size="compact-xs" onClick={() => onChange?.([...CLEARING_ORDER])}>
              {texts.all}
            </Button>
            <Button variant="subtle" size="compact-xs" onClick={() => onChange?.([])}>
              {texts.none}
            </Button>
          </span>
        </span>
      }
      aria-invalid={Boolean(error)}
    >
      <div className={classes.models}>
        {SHOWN.map((model) => (
          <Checkbox
            key={model}
            value={model}
            label={CLEARING_MODELS[model].title}
            description={CLEARING_MODELS[model].text}
          />
        ))}
      </div>
    </CheckboxGroup>
  );
}

const SHOWN: readonly ClearingModel[] = [
  'ticket',
  'result',
  'draw',
  'commission',
  'user',
  'upcome',
  'refertransaction',
  'userlog',
  'usertransaction',
  'frequency',
];
