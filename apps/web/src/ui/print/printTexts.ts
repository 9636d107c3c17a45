export const printTexts = {
  printedByTimesIn: (at: string | number, username: string | number, zone: string | number) =>
    `Printed ${at} by ${username}. Times in ${zone}.`,
  sortedBy: 'Sorted by',
  narrowFiltersPrintOthers: (count: string | number, totalText: string | number) =>
    `${count} of ${totalText}. Narrow the filters to print the others, or export a file.`,
};
