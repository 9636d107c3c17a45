import { makeChain } from '@drawhouse/contract/first-steps/first-steps';
import * as z from 'zod/mini';
import { parsePoints } from '../../../lib/format/format.ts';
import type { Level } from '../../../commonTexts.ts';

export interface ChainForm extends Record<Level, string> {
  accountPassword: string;
  adminCredit: string;
  playerCredit: string;
  testNetwork: boolean;
  games: string[];
  password: string;
}

export const FIRST_GAMES: ReadonlySet<string> = new Set(['funtargetbingo', 'europeanroulette', 'lottery3d']);

export const EMPTY_CHAIN: ChainForm = {
  admin: 'admin-1',
  superdistributor: 'super-1',
  distributor: 'dist-1',
  retailer: 'retail-1',
  user: 'player-1',
  accountPassword: '',
  adminCredit: '10000',
  playerCredit: '1000',
  testNetwork: false,
  games: [],
  password: '',
};

export function chainOf(form: ChainForm) {
  const { admin, superdistributor, distributor, retailer, user, ...rest } = form;
  return {
    ...rest,
    usernames: { admin, superdistributor, distributor, retailer, user },
    adminCredit: parsePoints(form.adminCredit) ?? Number.NaN,
    playerCredit: parsePoints(form.playerCredit) ?? Number.NaN,
  };
}

export function chainErrors(form: ChainForm): Record<string, string> {
  const result = z.safeParse(makeChain.body!, chainOf(form));
  const errors: Record<string, string> = {};
  for (const { path, message } of result.error?.issues ?? []) errors[String(path.at(-1))] ??= message;
  return errors;
}
