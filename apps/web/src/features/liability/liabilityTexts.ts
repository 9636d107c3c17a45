import type { LiabilityFigure } from '@drawhouse/contract/liability/liability';

const names = {
  owedToPlayers: 'Owed to players',
  commission: 'Unpaid commission',
  staffCredit: 'Credit of levels',
  tables: 'Game balances',
  inAll: 'Total',
} satisfies Partial<Record<LiabilityFigure, string>>;

export const liabilityTexts = {
  names,
  audits: 'Audits',
  fullAudit: 'The full audit',
  dailyBalanceCheck: 'The daily balance check',
  dailyBalanceCheckHas: 'The daily balance check has not run yet. It runs an hour after the end of each server day.',
  howSealsWork: 'How seals work',
  notChecked: 'Not checked',
  clean: 'Clean',
  andFoundNothingWrong: (description: string | number) => `${description} and found no problems.`,
  problems: 'Problems',
  yourSuperadminCanSee: 'Your superadmin can see the details.',
  first: (finding: string | number) => `The first: ${finding}`,
  range: 'Range',
  exportByDay: 'Export by day',
  firstDayAppearsHere: 'The first day appears here once it is over.',
  recordedSince: (since: string | number) => `Recorded since ${since}.`,
  heldAtEndEach: 'Held at the end of each day',
  nothingWasHeldOn: 'Nothing was held on these days.',
  liability: 'Liability',
  allNetworks: 'All networks',
  noNetworksYet: 'No networks yet',
  eachAdminsNetworkIs: 'Each admin’s network is listed here with the credit it holds.',
  below: '(below zero)',
  figures: Object.entries(names) as readonly (readonly [LiabilityFigure, string])[],
  meaning:
    'Owed to players: their credit, stakes not drawn yet and unclaimed wins. Unpaid commission: earned by the levels, not paid yet. ' +
    'Credit of levels: held by the admin and everyone between it and the players. Game balances: the ' +
    'house’s own; below zero the house owes.',
  fullAuditHasNot:
    'The full audit has not run yet. The server’s operator starts it with npm run audit; it checks every transfer, ticket, draw and log.',
  madeChecks: (what: string | number, at: string | number, checks: string | number) =>
    `${what} of ${at} made ${checks} checks`,
  andFound: '{description} and found {problems}. {detail}',
  problemCount: (problems: string | number) => `${problems} problems`,
} as const;
