import type { LiabilityFigure } from '@drawhouse/contract/liability/liability';

/** The texts of what the networks hold. */
export const liabilityTexts = {
  /** The figures over the table, each with whose it is. */
  figures: [
    ['owedToPlayers', 'Owed to players'],
    ['commission', 'Unpaid commission'],
    ['staffCredit', 'Credit of levels'],
    ['tables', 'Game balances'],
    ['inAll', 'In all'],
  ] satisfies readonly (readonly [LiabilityFigure, string])[],
  /** What the figures mean. */
  meaning:
    'Players can take out their credit, the stakes that are not drawn yet and the wins that are not claimed yet. Unpaid commission is what the levels have earned and have not been paid. ' +
    'Credit of levels is that of the admin and everyone between it and the players. Game balances are the house’s own; below zero the house owes.',
} as const;
