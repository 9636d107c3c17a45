export const liveTablesTexts = {
  title: 'All tables',
  search: 'Search by game or admin',
  anyAdmin: 'All admins',
  anyGame: 'All games',
  admin: 'Admin',
  game: 'Game',

  columns: {
    game: 'Game',
    due: 'Draw in',
    state: 'State',
    collection: 'Collection',
    worst: 'Worst result',
    leaves: 'It leaves',
    last: 'Last result',
  },
  /** The draw is over: counts down to the next. */
  nextIn: 'next in',
  noStakes: 'No stakes',
  noResult: 'None yet',
  awaited: 'Waits for a second person',
  awaitsYou: 'Waits for you',

  sums: {
    tables: 'Tables',
    awaited: 'Wait for a person',
    collection: 'Collection of these draws',
    worst: 'Worst at one table',
  },

  none: {
    title: 'No games yet',
    text: 'The live panel of each game appears here as soon as an admin is given one.',
  },
  noMatch: {
    title: 'Nothing matches',
    text: 'No table matches this search.',
    clear: 'Clear the search',
  },
  halted: 'Not up to date.',
} as const;
