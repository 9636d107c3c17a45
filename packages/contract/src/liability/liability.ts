import * as z from 'zod/mini';
import { list } from '../frame/list.ts';
import { period } from '../frame/list-filters.ts';
import { day, id, points, role, time } from '../frame/primitives.ts';

/** The credit of a network by whose it is, in points. All of it together came from its superadmin. */
const figures = {
  playerCredit: points,
  escrow: points,
  winnings: points,
  /** What players could take out: the three before. */
  owedToPlayers: points,
  commission: points,
  /** Of the admin and of every level between it and the players. */
  staffCredit: points,
  /** The game balances, which are the house's own; below zero where the house owes. */
  tables: points,
  inAll: points,
};

/** The names of {@link liabilityRow}'s figures. */
export type LiabilityFigure = keyof typeof figures;

/** What one network holds now. */
export const liabilityRow = z.object({ id, username: z.string(), ...figures });
/** What one network holds now. */
export type LiabilityRow = z.infer<typeof liabilityRow>;

/** What one network, or all together, held at the end of a day of the server's time zone. */
export const liabilityDay = z.object({ day, ...figures });
/** What was held at the end of a day. */
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
  sumColumn('staffCredit', 'Credit of levels', 124),
  sumColumn('tables', 'Game balances', 124),
  sumColumn('inAll', 'In all', 124),
] as const;

/** What an audit found, or that it found nothing. */
const verdict = z.object({
  at: time,
  /** How many things it checked. */
  checks: z.number(),
  /** How many problems it found; 0 where the books are right. */
  problems: z.number(),
  /** The first of them; for the superadmin alone, as it may be about any network. */
  finding: z.nullable(z.string()),
});
/** What an audit found, or that it found nothing. */
export type AuditVerdict = z.infer<typeof verdict>;

/** `GET reports/liability`: what each network holds now, by whose it is, and what the audits last found. */
export const liabilityReport = list({
  path: 'reports/liability',
  summary: 'The credit of each network by whose it is, as it is now, with what the audits last found.',
  access: ['superadmin', 'admin'],
  /** Of one network, by its admin. */
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
  search: 'Search by username',
  order: 'username',
  extra: {
    /** The caller's. */
    role,
    /** The whole audit (`npm run audit`) and the daily look at the balances; null where it has never run. */
    audits: z.object({ whole: z.nullable(verdict), daily: z.nullable(verdict) }),
  },
  errors: ['NOT_FOUND'],
  file: { name: 'Liability', sheet: 'Liability', numbered: true },
});

/** `GET reports/liability/days`: what was held at the end of each day that is over; of one network where `id` names its admin. */
export const liabilityDays = list({
  path: 'reports/liability/days',
  summary: 'The credit of one network, or of all that the caller may see, by whose it was, at the end of each day.',
  access: ['superadmin', 'admin'],
  query: { id: z.optional(id) },
  row: liabilityDay,
  columns: [
    { name: 'day', kind: 'code', header: 'Day', width: 110, sort: true, priority: true, export: { width: 14 } },
    ...SUMS,
  ],
  filters: [period],
  order: '-day',
  extra: {
    /** The caller's. */
    role,
    /** The first day that is known; null before the first is over. */
    since: z.nullable(day),
  },
  errors: ['NOT_FOUND'],
  file: { name: 'LiabilityByDay', sheet: 'Liability by day', title: 'Liability by day' },
});
