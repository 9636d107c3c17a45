export const NOTICE_DETAILS = {
  waiting: (count: number): string => (count === 1 ? '1 request.' : `${count} requests.`),
  refusedSignIns: (count: number, last: string): string => (count === 1 ? `${last}.` : `${count} times, last ${last}.`),
  auditFound: (found: string): string => `It found ${found}. The Liability page shows the first.`,
  tables: (text: string, opensNone: boolean): string => `${text}${opensNone ? ' Its network opens no draws.' : ''}`,
  others: (count: number): string => ` and ${count} more`,
  tableAt: (game: string, points: string, more: string): string => `${game} is at ${points}${more}.`,
  longestDelay: (seconds: number): string => `The longest delay is ${seconds} seconds.`,
  clockBack: (by: string): string => `It went back by ${by}.`,
  clockForward: (by: string): string => `It went forward by ${by}, or the machine was asleep.`,
  databaseRestarted: 'It restarted while this server was running.',
  slotKeeps: (size: string): string => `PostgreSQL keeps ${size} for it.`,
  creditWaits: (points: string, failure: string | null): string =>
    failure === null ? `${points} points wait.` : `${points} points wait: ${failure}`,
  outsideDue: (source: string): string => `Result of ${source}.`,
  outsideSaved: (source: string, username: string): string =>
    `Result of ${source}, saved by ${username}. A second person must confirm it.`,
  declaredBy: (username: string | null): string => `Declared by ${username}.`,
  belowThreshold: (points: string): string => `, below ${points}.`,
  balance: (points: string, threshold: string, isStopped: boolean): string =>
    `Its balance is ${points}${threshold}${isStopped ? ' No draw opens until balance is added.' : ''}`,
  worstCase: (result: string, pays: string, above: string): string =>
    `Result ${result} would pay up to ${pays}, above ${above}.`,
  nobodyBets: 'Nobody can bet or sign in until it ends.',
} as const;

export const NOTICE_TEXTS = {
  testTooSoon: (seconds: number): string =>
    `A test was just sent. Wait ${seconds} seconds before you send another one.`,
  ended: 'This notice has ended.',
  ownRead: 'Marked as read.',
  shownAgain: 'The notice is shown again.',
  alertsSaved: 'Alerts saved.',
  alertsChanged: (username: string): string => `Changed the alerts of ${username}`,
  accepted: (status: number, ms: number): string => `The receiver accepted it: status ${status} after ${ms} ms.`,
  refused: (status: number, ms: number): string => `The receiver did not accept it: status ${status} after ${ms} ms`,
  redirected: (answered: string): string =>
    `${answered}, a redirect, and redirects are never followed. Set NOTIFY_URL to the final address.`,
  seeLog: (answered: string): string => `${answered}. See the receiver's log for the reason.`,
  noAnswer: (seconds: number): string => `The receiver did not answer within ${seconds} seconds.`,
  stopping: 'The server is stopping.',
  unreachable: (why: string | undefined): string =>
    `The receiver could not be reached${why === undefined ? '' : ` (${why})`}. Check NOTIFY_URL, and that the ` +
    'receiver is running.',
  test: 'This message was sent by the test button. Nothing is wrong.',
  testTitle: 'A Drawhouse test message',
} as const;
