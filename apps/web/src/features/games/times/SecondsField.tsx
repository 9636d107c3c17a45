import { TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import type { TimeForm } from './timeForm.ts';
import { timeTexts } from '../gameTexts.ts';

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
