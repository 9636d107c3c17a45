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
