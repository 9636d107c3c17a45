import { WALLET_KINDS } from '@drawhouse/rules/records/ledger-kinds';
import type { InClearing, TableOwner } from './table-owner.ts';

const gamesOf = (networkId: number): string =>
  `select owner_id from wallets where network_id = ${networkId} and kind = ${WALLET_KINDS.table}`;

const IN_CATALOGUE: InClearing = { stays: 'all networks share the catalogue' };

export const CATALOGUE_TABLES = {
  images: {
    owner: 'games',
    backup: {
      where: (
        id,
      ) => `hash in (select logo from games where id in (${gamesOf(id)}) union select image from games where id in (${gamesOf(id)})
      union select hash from game_images where game_id in (${gamesOf(id)}))`,
    },
    clearing: IN_CATALOGUE,
  },
  schedules: {
    owner: 'games',
    backup: { where: (id) => `id in (select schedule_id from games where id in (${gamesOf(id)}))` },
    clearing: IN_CATALOGUE,
  },
  games: {
    owner: 'games',
    backup: { where: (id) => `id in (${gamesOf(id)})` },
    readers: {
      notices: 'tables below their threshold are named by game',
      approvals: 'a login limited to some games decides about these alone',
      'first-steps': "simulated players bet on a test network's games",
      accounts: "the list of admins shows each one's games",
      credit: 'statements name the game of a table',
      draws: 'draws are read with their game',
      liability: 'tables below zero are named by game',
      reports: 'totals per game are sorted by its name and checked against its rules; Bet List rows name their game',
      tickets: 'tickets are read with the key of their game',
    },
    clearing: IN_CATALOGUE,
  },
  times: {
    owner: 'games',
    backup: { where: (id) => `id in (select time_id from game_times where game_id in (${gamesOf(id)}))` },
    clearing: IN_CATALOGUE,
  },
  game_images: {
    owner: 'games',
    backup: { where: (id) => `game_id in (${gamesOf(id)})` },
    clearing: IN_CATALOGUE,
  },
  game_times: {
    owner: 'games',
    backup: { where: (id) => `game_id in (${gamesOf(id)})` },
    clearing: IN_CATALOGUE,
  },
  network_games: {
    owner: 'games',
    readers: {
      notices: 'tables below their threshold are found in one statement',
      'first-steps': "simulated players bet on a test network's games",
      accounts: "the list of admins shows each one's games",
      draws: 'finds pairs without a running draw among thousands in one query, and again under their locks',
      reports: "returns are shown beside the win percentage; the Bet List is filtered by its networks' games",
      tickets: "bets are taken only on the network's games, under the lock of their draws",
    },
    clearing: { stays: 'holds only the current state' },
  },
} satisfies Record<string, TableOwner>;
