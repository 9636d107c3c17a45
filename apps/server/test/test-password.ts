export const PASSWORD = 'correct horse battery';
