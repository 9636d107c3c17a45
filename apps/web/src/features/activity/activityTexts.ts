export const activityTexts = {
  noActivityYet: 'No activity yet',
  everyChangeAndEvery: 'Every change and every sign-in is recorded here.',
  noMatchesSoFar: 'No matches so far',
  searchHasNotCovered: 'The search has not covered the whole log yet.',
  searchedFor2Seconds: 'Searched for 2 seconds, {direction} to {to}. Continue from there, or narrow it by date.',
  continueSearching: 'Continue searching',
  changes: 'Changes',
  nothingElseWasChanged: 'Nothing else was changed.',
};
