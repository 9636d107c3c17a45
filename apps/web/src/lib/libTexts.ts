export const formatTexts = {
  noEntries: 'No entries',
  currentMonth: 'Current Month',
  lastMonth: 'Last Month',
  lastWeek: 'Last Week',
  currentWeek: 'Current Week',
  yesterday: 'Yesterday',
  today: 'Today',
  dateRange: 'Date Range',
};

export const serverTexts = {
  isSaved: (fileName: string | number) => `${fileName} is saved.`,
};

export const returnTexts = {
  inLongRunBet: 'In the long run, a bet of this game pays out more than is staked',
  inLongRunThis: (below: string | number) => `In the long run, this returns less than ${below} of stakes`,
  inLongRunIts: 'In the long run, its best bet pays out at least as much as is staked on it.',
  commissionsOrMoreAlong: (stake: string | number) =>
    `Commissions of ${stake} % or more along a chain take its best bet to 100 %.`,
  andMore: (odds: string | number, others: string | number) => `${odds} and ${others} more`,
};

export const imageTexts = {
  hint: 'JPEG, PNG or WebP, at most 2 MB and 4,000 × 4,000 pixels each.',
  chooseAnother: (name: string | number) => `${name}: choose another`,
  removeNamed: (name: string | number) => `${name}: remove`,
  remove: 'Remove',
  wrongType: 'Choose a JPEG, PNG or WebP image',
  tooManyBytes: 'An image may have at most 2 MB',
  tooManyPixels: (width: string | number, height: string | number) =>
    `At most 4,000 × 4,000 pixels: this one has ${width} × ${height}`,
  damaged: 'This image can’t be read',
} as const;
