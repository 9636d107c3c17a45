export const printTexts = {
  printedByTimesIn: (at: string | number, username: string | number, zone: string | number) =>
    `Printed ${at} by ${username}. Times in ${zone}.`,
  invitation: {
    slips: 'Slips',
    of: 'For',
    until: 'Valid until',
    hint: 'Scan the code with a phone and choose your password. It works once. Show it to nobody.',
  },
  sortedBy: 'Sorted by',
  narrowFiltersPrintOthers: (count: string | number, totalText: string | number) =>
    `${count} of ${totalText}. Narrow the filters to print the others, or export a file.`,
};
