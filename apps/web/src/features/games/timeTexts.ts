import { intervalText } from './timeForm.ts';

export const timeTexts = {
  title: 'Time Master',
  add: 'Add Time',
  edit: 'Edit Time',
  seconds: 'Time in sec',
  secondsHint: 'How many seconds lie between two draws: 5 to 86,400, in whole seconds.',
  create: 'Create',
  creating: 'Creating...',
  update: 'Update',
  updating: 'Updating...',
  createFailed: 'Failed to create time',
  updateFailed: 'Failed to update time',
  deleteFailed: 'Failed to delete time',
  deleteTitle: 'Delete Confirmation',
  deleteLabel: 'Delete',
  deleteQuestion: (seconds: number): string => `Are you sure you want to delete the time of ${intervalText(seconds)}?`,
  deleteInUse: 'Games use it, so it can’t be deleted until they are given another one.',
  deleteUnused: 'No game uses it.',
  unused: 'No game uses this time yet.',
  short:
    'It is shorter than times may be now, but goes on working as it is. It can only be changed to 5 seconds or more.',
  notFound: 'This time',
  emptyTitle: 'No times yet',
  emptyText: 'They appear here as soon as the first one is added.',
} as const;
