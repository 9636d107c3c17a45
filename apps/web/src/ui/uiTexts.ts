export const pageTexts = {
  ofFirstCell:
    'Only the superadmin of the first cell issues credit and changes the house, games, times and schedules. This cell ' +
    'takes over such changes within seconds.',
  nothingOnThisPage: 'Nothing on this page',
  otherAreOnOther: (rowsName: string | number) => `The other ${rowsName} are on other pages.`,
  showNewest: 'Show newest',
  thisSearchAndThese: 'this search and these filters',
  noMatches: 'No matches',
  clearNarrowing: 'Clear {narrowing}',
  loadingPage: 'Loading the page',
  wasNotFound: (what: string | number) => `${what} was not found`,
  itMayHaveBeen: 'It may have been deleted, or the address may be wrong.',
  goBack: 'Go back',
  daysIn: (zone: string | number) => `Days in ${zone}`,
  asOfStandby: (time: string) => `As of ${time}, read from a standby.`,
  asOfPrimary: (time: string) => `As of ${time}. The standby is down or behind, so this was read from the primary.`,
  cellMissing: (cell: string, networks: readonly string[]) =>
    networks.length === 0
      ? `${cell} does not answer. It has no networks.`
      : `${cell} does not answer. Not included: ${networks.join(', ')}.`,
  cellsUnknown: 'The directory of all cells does not answer. Networks of other cells are not included.',
  thisCouldNotBe: 'This could not be loaded',
  loadsOnceConnected: 'No connection to the server. It loads once there is one.',
  tryAgain: 'Try again',
  inProgress: 'In progress',
  searchAndFilters: 'search and filters',
};

export const markTexts = {
  andMore: (names: string | number, count: string | number) => `${names} and ${count} more`,
};
