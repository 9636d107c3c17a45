import type { VOID_CAUSE } from '@drawhouse/contract/draws/draws';
import { formatDateTime } from '../../lib/format/format.ts';

export const betListTexts = {
  title: 'Game History',
  empty: 'No history found for this game.',
  drawn: 'Drawn',
  viewResults: 'View Results',
  groupedResults: 'Grouped Results',
  noResults: 'No results found for this ticket',
  view: 'View',
  ticketDetails: 'Ticket Details',
  ofDraw: (drawsAt: string | undefined) => (drawsAt === undefined ? 'One draw' : `Draw of ${formatDateTime(drawsAt)}`),
  undone: (at: string) => `A restore on ${formatDateTime(at)} undid this ticket. It no longer counts.`,
  series: 'Series',
  subseries: 'Sub-series',
  player: 'User',
  allGames: 'All games',
  allPlayers: 'All players',
  source: { declared: 'Declared by an operator', generated: 'Generated from the committed seed' },
  voidCause: {
    operator: 'An operator voided the draw. The stake was refunded.',
    seed: 'The draw’s seed could not be read, so its result could not be proven. The stake was refunded.',
    wins: 'The draw’s wins exceeded what the books can hold. The stake was refunded.',
    restore: 'The draw was open in a backup that was restored. The stake was refunded.',
    beacon: 'A beacon did not publish its value in time. The stake was refunded.',
    root: 'Bets were not sealed before the beacon’s value could be known. The stake was refunded.',
    outside: 'No outside result was entered before its deadline. The stake was refunded.',
  } satisfies Record<(typeof VOID_CAUSE)[number], string>,
  notDrawn: 'This ticket’s draw has no result yet.',
  outside: (source: string): string => `Result of ${source}`,
  corrected: (at: string): string => `Corrected ${formatDateTime(at)}`,
  awaits: (source: string): string => `Waiting for the result of ${source}.`,
  checkDraw: 'Check this draw',
} as const;

export const transactionTexts = {
  title: 'Transaction Report',
  date: 'Date',
  user: 'User',
  sideOf: (username: string) => `Credit: received by ${username}. Debit: taken from ${username}.`,
  sideOfLower: 'Credit: received by the account lower in the network. Debit: taken from it.',
  empty: {
    title: 'No transfers on this day',
    text: 'Every movement of credit is listed here: given, taken back, bet, won, earned or paid out.',
  },
  yesterday: 'Show the previous day',
  phone: { transfer: 'Transfer', amount: 'Amount' },
} as const;

export const accountOverviewTexts = {
  allTime: 'All time',
  betsAndWinsHouse: (username: string | number) =>
    `Bets and wins of ${username}. The house keeps the net: play minus wins and all commission.`,
  betsAndWinsBelow: (username: string | number) =>
    `Bets and wins below ${username}. The house keeps the net: play minus wins and all commission.`,
  commissionAllLevels: 'Commission of all levels',
  netKeptByHouse: 'Net, kept by the house',
  gamesWithMostPlay: 'Games with the most play',
  endPoint: 'End Point',
  noSettledBetsYet: 'No settled bets yet.',
  lastMovements: 'Last movements',
  noMovementsInLast: 'No movements in the last 6 months.',
  lastTickets: 'Last tickets',
  noTicketsInLast: 'No tickets in the last 6 months.',
  mostPlayBelowThis: 'Most play below, this week',
  noOneBelowHas: 'No one below has played this week.',
  mostCreditBelowThis: 'Most credit below, this week',
  creditGaveAndTook: (username: string | number) => `Credit ${username} gave and took back.`,
  takenBack: 'Taken back',
  noCreditWasGiven: 'No credit was given or taken back this week.',
  ticket: 'Ticket',
  type: 'Type',
  all: 'All',
  tryAgain: 'Try again',
};

export const onlinePlayersTexts = {
  onlinePlayers: 'Online Players',
  all: 'All',
  noPlayersYet: 'No players yet',
  everyPlayerBelowYou: 'Every player below you is listed here with today’s play.',
  noOneIsOnline: 'No one is online',
  playersAreListedFrom: 'Players are listed from sign-in until 2 minutes after they leave.',
  showAllPlayers: 'Show all players',
};

export const returnsTexts = {
  title: 'Returns',
  outside: (count: number) =>
    count === 0
      ? 'No game is outside its band.'
      : `${count} ${count === 1 ? 'game is outside its band' : 'games are outside their bands'}.`,
  counted:
    'Only generated draws with bets count. By chance alone, 99 of 100 games stay within their band. Check any that don’t.',
  band: (low: string, high: string) => `99 % in ${low} – ${high}`,
  short: { above: 'Above', below: 'Below', none: '' },
  itsBand: ' its band',
  notSet: 'Not set',
  empty: {
    title: 'No games yet',
    text: 'Each admin’s games are listed here with their expected and actual returns.',
  },
} as const;

export const betPageTexts = {
  game: 'Game',
  noSuchGame: 'No such game',
  loading: 'Loading…',
  thisAccount: 'This account',
  user: 'User',
  searching: 'Searching…',
  noSuchPlayer: 'No such player',
  ticket: (ticketId: string | number) => `Ticket ${ticketId}`,
  ticketsAppearHereAs: 'Tickets appear here as soon as they are placed, newest first.',
  resultWL: 'Result, W/L',
  ticketid: 'TicketID',
  draw: 'Draw',
  booster: 'Booster',
  source: 'Source',
  loadingTicket: 'Loading the ticket',
  username: 'Username',
  time: 'Time',
  untilTime: 'Tickets until this time',
  timeExample: 'Time, e.g. 03:49',
  wrongTime: 'Enter a time such as 03:49',
  apiKey: 'API key',
  drawNo: 'Draw No',
  qty: 'Qty',
  total: 'Total',
  corrected: 'Corrected',
  won: (won: string | number) => `Won ${won}`,
};
