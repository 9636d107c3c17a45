import * as z from 'zod/mini';
import { list, withCell } from '../core/list.ts';
import { period } from '../core/list-filters.ts';
import { day, id, points, role, time } from '../core/primitives.ts';
import { CORE_TEXTS } from '../core/field-texts.ts';

/** Credit of a network by owner, in points. It adds up to the credit issued. */
const figures = {
  playerCredit: points,
  escrow: points,
  winnings: points,
  owedToPlayers: points,
  commission: points,
  staffCredit: points,
  /** Game balances. Negative: the house owes. */
  tables: points,
  inAll: points,
};

export type LiabilityFigure = keyof typeof figures;

export const liabilityRow = z.object({ id, username: z.string(), ...figures, ...withCell });
export type LiabilityRow = z.infer<typeof liabilityRow>;

/** Credit at the end of a day, in the server's time zone. */
export const liabilityDay = z.object({ day, ...figures });
export type LiabilityDay = z.infer<typeof liabilityDay>;

function sumColumn<const Name extends LiabilityFigure>(name: Name, header: string, width: number) {
  return { name, kind: 'points', header, width, sort: true, export: { width: 18 } } as const;
}

const SUMS = [
  { ...sumColumn('playerCredit', 'Players’ credit', 124), yields: 1 },
  { ...sumColumn('escrow', 'Undrawn stakes', 128), yields: 1 },
  { ...sumColumn('winnings', 'Unclaimed wins', 124), yields: 1 },
  { ...sumColumn('owedToPlayers', 'Owed to players', 132), priority: true },
  sumColumn('commission', 'Unpaid commission', 144),
  sumColumn('staffCredit', 'Staff credit', 124),
  sumColumn('tables', 'Game balances', 124),
  { ...sumColumn('inAll', 'Total', 124), yields: -1 },
] as const;

const verdict = z.object({
  at: time,
  checks: z.number(),
  problems: z.number(),
  /** Superadmins only, since it may concern any network. */
  finding: z.nullable(z.string()),
});
export type AuditVerdict = z.infer<typeof verdict>;

export const liabilityReport = list({
  path: 'reports/liability',
  summary: 'The current credit of each network by owner, with the findings of the last audits.',
  access: ['superadmin', 'admin'],
  permission: 'reports',
  /** Admin id. */
  query: { id: z.optional(id) },
  row: liabilityRow,
  columns: [
    {
      name: 'username',
      kind: 'text',
      header: 'Network',
      width: 128,
      sort: true,
      priority: true,
      export: { width: 30 },
    },
    ...SUMS.map((column) => ({ ...column, total: true as const })),
  ],
  search: CORE_TEXTS.searchNames,
  order: 'username',
  extra: {
    role,
    /** `whole`: `npm run audit`. `daily`: the balance check. Null: never ran. */
    audits: z.object({ whole: z.nullable(verdict), daily: z.nullable(verdict) }),
  },
  errors: ['NOT_FOUND'],
  file: { name: 'Liability', sheet: 'Liability', numbered: true },
});

export const liabilityDays = list({
  path: 'reports/liability/days',
  summary: 'The credit of one network, or of all that the caller may see, by owner, at the end of each day.',
  access: ['superadmin', 'admin'],
  permission: 'reports',
  query: { id: z.optional(id) },
  row: liabilityDay,
  columns: [
    { name: 'day', kind: 'day', header: 'Day', width: 110, sort: true, priority: true, export: { width: 14 } },
    ...SUMS,
  ],
  filters: [period],
  order: '-day',
  extra: {
    role,
    /** Null before the first day's end. */
    since: z.nullable(day),
  },
  errors: ['NOT_FOUND'],
  file: { name: 'LiabilityByDay', sheet: 'Liability by day', title: 'Liability by day' },
});
