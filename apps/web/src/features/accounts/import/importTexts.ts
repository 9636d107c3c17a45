export const importTexts = {
  allRightNothingIs: (count: string | number) => `${count}, all correct. Nothing is created yet.`,
  wrongNothingWasCreated: (size: string | number, count: string | number) =>
    `${size} of ${count} wrong. Nothing was created. Change them above and check again.`,
  rows: 'Rows',
  line: 'Line',
  username: 'UserName',
  details: 'Details',
  result: 'Result',
  right: 'Correct',
  import: (names: string | number) => `Import ${names}`,
  oneUsernamePerLine:
    'One username per line is enough. With more columns, the first line names them: UserName, Password, Commission, ' +
    'Note, Refer ID, Status. Accounts without a password get one, shown once to print.',
  typePasteOrChoose: 'Type them, paste them from a spreadsheet, or choose a CSV file.',
  create: (count: number) => `Create ${count} account${count === 1 ? '' : 's'}`,
  creating: (count: number) =>
    `Creating ${count} account${count === 1 ? '' : 's'}. Keep this page open: it will show their passwords.`,
  steps: {
    check: (done: number, total: number) => `Checking passwords: ${done} of ${total}`,
    hash: (done: number, total: number) => `Encrypting passwords: ${done} of ${total}`,
    write: (_done: number, total: number) => `Writing all ${total} accounts at once`,
  },
  progress: 'Progress of the import',
  seconds: (seconds: number) => `${seconds} s so far`,
  checkRows: 'Check rows',
  cancel: 'Cancel',
  chooseFile: 'Choose a file',
  sampleFile: 'Sample file',
  lineHasQuoteThat: (open: string | number) => `Line ${open} has a quote that does not close.`,
  fileIsEmpty: 'The file is empty.',
  firstLineLooksLike: (first: string, column: string) =>
    `“${first}” in line 1 looks like a heading. Delete it; if it is a username, put the heading ${column} above it.`,
  firstLineMustName: (choices: string | number) => `The first line must name the columns: ${choices}.`,
  thereIsNoColumn: (unknown: string | number, choices: string | number) =>
    `There is no column “${unknown}”. Columns are ${choices}.`,
  columnStandsTwice: (column: string | number) => `The column ${column} is listed twice.`,
  thereIsNoRow: 'There are no rows below the column names.',
  fileHasRowsImport: (count: string | number, bulkMax: string | number) =>
    `The file has ${count} rows. Import at most ${bulkMax} at once.`,
  lineHasFieldsBut: (line: string | number, count: string | number, count2: string | number) =>
    `Line ${line} has ${count} fields, but there are ${count2} columns. Put texts that contain a separator in quotes.`,
  adminsCantBeImported: 'Admins can’t be imported, because each needs its games. Add them one by one',
  onlyAreImportedHere: (names: string | number) => `Only ${names} are imported here`,
};
