import { alertThresholds, setAlertThresholds } from '@drawhouse/contract/notices/notice-acts';
import type { RouteAnswer } from '@drawhouse/contract/core/route';
import { Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQuery } from '@tanstack/react-query';
import { parsePoints } from '../../lib/format/format.ts';
import { useFormCall } from '../../lib/form/useFormCall.ts';
import { useTimedMessage } from '../../lib/form/timedMessage.ts';
import { call, callQuery, errorMessage } from '../../lib/server/api.ts';
import { reload } from '../../lib/server/queryClient.ts';
import { CallForm, DoneFoot } from '../../ui/form/CallForm.tsx';
import { ErrorState } from '../../ui/page/PageStates.tsx';
import { DeviceAlerts } from './DeviceAlerts.tsx';
import classes from './NoticesPage.module.css';
import { noticesTexts } from './noticesTexts.ts';

const texts = noticesTexts.settings;
const QUERY_KEY = ['notices', 'thresholds'] as const;

export function AlertSettings({ hasThresholds }: { hasThresholds: boolean }) {
  return (
    <details className={classes.settings}>
      <summary>{texts.title}</summary>
      <div className={classes.form}>
        <Stack gap="md">
          {hasThresholds && <Thresholds />}
          <DeviceAlerts />
        </Stack>
      </div>
    </details>
  );
}

function Thresholds() {
  const { data, error, refetch } = useQuery(callQuery(QUERY_KEY, alertThresholds, {}));
  if (error && !data) return <ErrorState message={errorMessage(error)} onRetry={() => void refetch()} />;
  return data ? <ThresholdForm now={data} /> : null;
}

function ThresholdForm({ now }: { now: RouteAnswer<typeof alertThresholds> }) {
  const [done, showDone] = useTimedMessage();
  const form = useForm({
    initialValues: { tableBelow: textOf(now.tableBelow), worstAbove: textOf(now.worstAbove) },
    validate: { tableBelow: wrongAmount, worstAbove: wrongAmount },
  });
  const save = useFormCall(form, {
    send: ({ tableBelow, worstAbove }) => {
      showDone(null);
      return call(setAlertThresholds, { body: { tableBelow: amountOf(tableBelow), worstAbove: amountOf(worstAbove) } });
    },
    onDone: ({ message }, values) => {
      showDone(message);
      form.resetDirty(values);
      return reload(['notices']);
    },
  });
  return (
    <CallForm label={texts.title} call={save} foot={<DoneFoot done={done} busy={save.busy} submit={texts.save} />}>
      {(['tableBelow', 'worstAbove'] as const).map((name) => (
        <TextInput
          key={name}
          label={texts[name]}
          description={texts.empty}
          inputMode="decimal"
          {...form.getInputProps(name)}
        />
      ))}
    </CallForm>
  );
}

const textOf = (points: number | null): string => (points === null ? '' : String(points));
const MINUS = /^\s*[-−]/;

/** Null if empty, NaN if invalid. Tables may be below zero. */
function amountOf(text: string): number | null {
  if (text.trim() === '') return null;
  const value = parsePoints(text.replace(MINUS, '')) ?? Number.NaN;
  return MINUS.test(text) ? -value : value;
}

const wrongAmount = (text: string): string | null => (Number.isNaN(amountOf(text)) ? texts.wrong : null);
