import { RETURN_BOUNDS } from '@drawhouse/rules/return-marks';
import type { ReturnMark } from '@drawhouse/rules/return-marks';

const percent = (fraction: number): string => `${Math.round(fraction * 100)} %`;

export const RETURN_MARKS: Readonly<
  Record<NonNullable<ReturnMark>, { readonly name: string; readonly meaning: string }>
> = {
  above: {
    name: `above ${percent(RETURN_BOUNDS.above)}`,
    meaning: 'In the long run, a bet of this game pays out more than is staked',
  },
  below: {
    name: `below ${percent(RETURN_BOUNDS.below)}`,
    meaning: `In the long run, less than ${percent(RETURN_BOUNDS.below)} of what is staked on this comes back`,
  },
};
