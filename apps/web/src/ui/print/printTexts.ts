export const printTexts = {
  printedByTimesIn: (at: string | number, username: string | number, value: string | number) =>
    `Printed ${at} by ${username}. Times in ${value}.`,
  sortedBy: 'Sorted by',
  narrowFiltersPrintOthers: (count: string | number, totalText: string | number) =>
    `${count} of ${totalText}. Narrow the filters to print the others, or export a file.`,
};
