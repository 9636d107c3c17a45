export const chartTexts = {
  series: 'Series',
  showAsChart: 'Show as chart',
  showAsTable: 'Show as table',
  tryAgain: 'Try again',
};
