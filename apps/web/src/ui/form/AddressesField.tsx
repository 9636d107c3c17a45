import { Textarea, type TextareaProps } from '@mantine/core';
import { formTexts } from '../formTexts.ts';

export function AddressesField(props: TextareaProps) {
  return (
    <Textarea
      label={formTexts.addresses}
      description={formTexts.addressesHint}
      autosize
      minRows={2}
      maxRows={6}
      autoComplete="off"
      {...props}
    />
  );
}

/** Splits at lines, blanks or commas. */
export const addressesIn = (text: string): string[] => text.split(/[\s,;]+/).filter((address) => address !== '');

/** Needed because the call has a list of addresses. */
export const addressNames = (text: string): Readonly<Record<string, 'addresses'>> =>
  Object.fromEntries(addressesIn(text).map((_, index) => [`addresses.${index}`, 'addresses' as const]));

export function numberIn(typed: string): number | null {
  const text = typed.trim().replaceAll(',', '');
  if (text === '') return null;
  return /^\d+(\.\d+)?$/.test(text) ? Number(text) : Number.NaN;
}
