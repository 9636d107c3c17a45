export const wallTexts = {
  seconds: (each: string | number) => `${each} seconds`,
};

export const liveTablesTexts = {
  title: 'All tables',
  search: 'Search by game or admin',
  anyAdmin: 'All admins',
  anyGame: 'All games',
  admin: 'Admin',
  game: 'Game',
  sort: 'Sort by',
  orders: {
    due: 'Next draw first',
    worst: 'Largest loss first',
    exposure: 'Fullest table first',
    collection: 'Largest collection first',
  },

  columns: {
    game: 'Game',
    due: 'Draw in',
    state: 'State',
    collection: 'Collection',
    worst: 'Worst result',
    leaves: 'House keeps',
    exposure: 'Exposure',
    last: 'Last result',
    act: 'Actions',
  },
  exposure: {
    room: (points: string): string => `${points} left`,
    full: 'Full',
    why: (takes: string, balance: string, line: string): string =>
      `Can cost ${takes}. The table holds ${balance} and may fall ${line} below zero; beyond that it refuses bets.`,
    number: (most: string, limit: string): string => `Number ${most} of ${limit}`,
  },
  act: (game: string, admin: string): string => `Act on ${game} of ${admin}`,
  openPanel: 'Open the panel',
  /** The draw is over: counts down to the next. */
  nextIn: 'next in',
  noStakes: 'No stakes',
  noResult: 'None yet',
  awaited: 'Waiting for a second person',
  awaitsYou: 'Waiting for you',
  awaitsOutside: (source: string): string => `Waiting for ${source}`,

  sums: {
    tables: 'Tables',
    awaited: 'Waiting for a person',
    collection: 'Collection of these draws',
    worst: 'Worst at one table',
  },

  none: {
    title: 'No games yet',
    text: 'Live panels appear here when a game is assigned to an admin.',
  },
  noMatch: {
    title: 'No matches',
    text: 'No table matches this search.',
    clear: 'Clear the search',
  },
  halted: 'Not up to date.',
  loadingTables: 'Loading the tables',
  pays: (pays: string | number) => `pays ${pays}`,
  xBy: (result: string | number, booster: string | number, by: string | number) => `${result}, ${booster} X by ${by}`,
  figuresAreFrom: (time: string) => `Figures are from ${time}.`,
} as const;
