import { NumberInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import type { TimeForm } from './timeForm.ts';
import { timeTexts } from './timeTexts.ts';

/** The one field of a time. */
export function SecondsField({ form }: { form: UseFormReturnType<TimeForm> }) {
  return (
    <NumberInput
      label={timeTexts.seconds}
      description={timeTexts.secondsHint}
      withAsterisk
      allowDecimal={false}
      allowNegative={false}
      clampBehavior="none"
      hideControls
      inputMode="numeric"
      key={form.key('timecount')}
      {...form.getInputProps('timecount')}
    />
  );
}
