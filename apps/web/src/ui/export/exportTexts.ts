export const exportTexts = {
  couldNotBeExported: (error: string | number) => `could not be exported. ${error}`,
  tryAgain: 'Try again',
  close: 'Close',
  export: 'Export',
  isBeingPrepared: 'is being prepared',
  soFar: (bytes: string | number) => `${bytes} so far`,
  rowsInTotal: (rows: string | number) => `, ${rows} rows in total`,
  cancel: 'Cancel',
};
