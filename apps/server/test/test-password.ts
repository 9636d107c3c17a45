/** The password of every account that the harness makes. */
export const PASSWORD = 'correct horse battery';
