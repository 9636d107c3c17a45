import { STAFF_ROLES } from '@drawhouse/contract/core/primitives';
import { needsElevation, type Route } from '@drawhouse/contract/core/route';
import { expect, it } from 'vitest';
import { nameOf, ROUTES } from './contract-routes.ts';

const LEVELS = '(superadmins|admins|superdistributors|distributors|retailers|users)';

/** By level and stricter fields. First match wins. */
const SENSITIVE: readonly (readonly [pattern: string, level: string, ...stricter: string[]])[] = [
  ['POST superadmins/create', 'recent'],
  ['POST (admins/create|superadmins/:id/children)', 'spec', 'commissionCeiling elevation'],
  [`POST ${LEVELS}/(create|:id/children)`, 'spec'],
  [
    `PUT ${LEVELS}/:id(/children/:childId)?`,
    'spec',
    'password recent',
    'dailyLimit elevation',
    'commissionCeiling elevation',
    'tableLine elevation',
    'tokenSessions elevation',
    'factorRoles elevation',
    'passwordFirst elevation',
    'rememberDevices elevation',
    'testNetwork elevation',
  ],
  [`PATCH ${LEVELS}/(:id/children/:childId/toggle-status|toggle-status/:userId)/:action`, 'spec'],
  [`DELETE ${LEVELS}/(:id|:id/:callerId|:id/children/delete/:childId)`, 'spec'],
  [`POST ${LEVELS}/(:id/children/:childId/)?credit-(transfer|adjust)`, 'asks'],
  ['POST credit/(commission-payouts?|reverse|bulk-transfer)', 'asks'],
  ['POST (weeks/close|standing-orders)', 'asks'],
  ['POST (accounts/(bulk-(status|daily-limit)|import)|players/bulk-limit)', 'elevation'],
  ['POST firststeps/chain', 'asks'],
  ['PUT firststeps/simulation/:adminId', 'elevation'],
  ['POST users/chnagepassword', 'asks'],
  ['(POST auth/factors(/(app|codes|passkeys?))?|DELETE auth/factors/:number)', 'elevation'],
  ['DELETE auth/sessions(/:sessionId)?', 'elevation'],
  ['POST live/addbalance', 'spec'],
  ['POST live/(addresult|generateresult)', 'result'],
  ['POST live/(voiddraw|correctresult)', 'elevation'],
  ['POST game', 'spec', 'unitPrice elevation', 'pays elevation'],
  ['PUT game/:id', 'spec', 'resultMode elevation', 'unitPrice elevation', 'pays elevation'],
  ['(PUT game/:id/:action|DELETE game/:id)', 'spec'],
  ['(POST schedule|PUT schedule/:id)', 'result', 'sources elevation'],
  ['PUT beacons/:adminId', 'elevation'],
  ['PUT limits/:adminId', 'elevation'],
  ['PUT percentage/bulk/winpercentage/:id', 'spec'],
  ['(POST apikeys|PUT apikeys/:keyId|POST apikeys/:keyId/end)', 'elevation'],
  ['(POST approvals/:approvalId/approve|PUT approvalrules/:adminId)', 'elevation'],
  [
    '(POST logins(/:number/invitation)?|PUT logins/:number|DELETE logins/:number|POST invitations/:accountId|PUT staffplaces/:adminId)',
    'elevation',
  ],
  ['POST backup/deleterecords', 'recent'],
  ['GET backup/(importbackup|downloadbackup)', 'spec'],
  ['DELETE backup/deletebackup', 'spec'],
  ['POST backup/(undo|downloadbackup)', 'elevation'],
  ['(PUT|POST) players/:playerId/protection/(limits/:limit|exclusion|exclusion/end)', 'elevation'],
  ['POST app/protection/(limits/:limit/confirm|exclusion)', 'elevation'],
];

const NOT_SENSITIVE: Readonly<Record<string, string>> = {
  'POST auth/login': 'takes the password itself',
  'POST auth/confirm': 'takes the password or the second factor itself',
  'POST auth/factor/options': 'says which factors a sign-in may use, after the password',
  'POST auth/confirm/options': 'says which factors the caller may use',
  'POST auth/factor': 'takes the second factor itself',
  'POST auth/invitation': 'says whom an invitation is for, to its holder',
  'POST auth/invitation/accept': 'takes the secret of the invitation itself',
  'DELETE auth/devices/:deviceId': 'asks a device of the caller for the factor again',
  'POST auth/signup': 'makes a player without credit, for anyone',
  'GET auth/logout': 'ends the session',
  'PUT house': 'says how the house presents itself, which moves and guards no credit',
  'DELETE logins/:number/sessions': 'ends sessions of a login, whom the owner may be locking out',
  'GET app/logout': "ends a player's sessions, which gives nobody anything",
  'POST time': 'says how long draws last, not what they pay',
  'PUT time/:id': 'says how long draws last, not what they pay',
  'DELETE time/:id': 'only a time that no game uses can be deleted',
  'DELETE schedule/:id': 'only a schedule that no game uses can be deleted',
  'PUT closures/:adminId': 'leaves out draws, which takes no bet back',
  'GET backup/exportbackup': 'the backup stays on the server',
  'GET backup/checkbackup': 'only reads the backup',
  'GET backup/transferbackup': 'the settings of the server say where to, not the caller',
  'POST backup/drill': 'nothing of it stays',
  'POST backup/countrecords': 'only counts',
  'POST accounts/check-import': 'only checks rows',
  'POST logs/logUserActivity': "adds a note to the caller's log",
  'POST approvals/:approvalId/decline': 'changes nothing',
  'POST approvals/:approvalId/withdraw': 'changes nothing',
  'POST notices/test': 'sends a fixed text to the address of the settings',
  'POST weeks/payments': 'records money paid elsewhere, which moves no credit',
  'POST weeks/payments/reverse': 'records money paid back elsewhere, which moves no credit',
  'POST standing-orders/:orderId/end': 'stops credit from moving by itself, and moves none',
  'POST weeks/notes': 'adds words to a week',
  'PUT weeks/terms': 'says what is owed from a week on, which moves no credit',
  'POST notices/mark': 'hides a notice from the caller alone',
  'POST auth/notices/read': 'marks what the caller alone sees',
  'POST notices/unmark': 'shows the caller a notice again',
  'PUT app/favorites': 'saves a list of bets; placing it is another call',
  'PUT app/pins': 'pins a game to the lobby',
  'DELETE app/favorites/:favoriteId': 'deletes a list of bets',
  'PUT notices/thresholds': 'says from when the caller is notified',
  'PUT welcome/shown': 'shows or hides masked winners on the landing page',
  'POST wall': 'shows results and countdowns, which players see too',
  'DELETE wall': 'takes a public page away',
  'POST app/bet': "stakes the player's own credit, many times an hour",
  'POST app/ahead': "stakes the player's own credit",
  'POST app/bets': "stakes the players' own credit, within the limits of an API key",
  'POST app/claim': 'books a win to its owner',
  'POST app/ticket/:ticketId/print': 'counts a print',
  'PUT app/protection/limits/:limit': 'a stricter limit holds at once; a looser one has to be confirmed',
  'POST app/protection/limits/:limit/withdraw': 'keeps the stricter limit',
  'POST app/protection/break': 'guards the player, and has to be easy',
};

const isChange = (route: Route): boolean => route.method !== 'GET' || route.changesState === true;

function listed(name: string): unknown {
  const row = SENSITIVE.find(([pattern]) => new RegExp(`^${pattern}$`).test(name));
  return row && [row[1], ...row.slice(2)];
}

function marked({ sensitive }: Route): unknown {
  if (sensitive === undefined || sensitive === false) return undefined;
  if (typeof sensitive === 'string') return [sensitive];
  return [sensitive.level, ...Object.entries(sensitive.fields).map(([field, level]) => `${field} ${level}`)];
}

it('every changing route is sensitive or states why not', () => {
  const changes = ROUTES.filter((route) => isChange(route) || needsElevation(route));
  expect(Object.fromEntries(changes.map((route) => [nameOf(route), marked(route)]))).toEqual(
    Object.fromEntries(
      changes.map((route) => {
        const name = nameOf(route);
        return [
          name,
          NOT_SENSITIVE[name] === undefined ? (listed(name) ?? 'neither listed nor with a reason') : undefined,
        ];
      }),
    ),
  );
  const names = new Set(changes.map(nameOf));
  expect(
    Object.keys(NOT_SENSITIVE).filter((name) => !names.has(name)),
    'routes that are gone',
  ).toEqual([]);
});

it('staff have no call moving credit to another account without the password', () => {
  const movesCredit = ROUTES.filter(({ body }) => {
    const fields = Object.keys((body as { shape?: object } | undefined)?.shape ?? {});
    return fields.some((field) => /^(transferAmount|adjustAmount|amount|payouts|transfers)$/.test(field));
  });
  expect(movesCredit.length).toBeGreaterThan(20);
  for (const route of movesCredit) {
    expect([nameOf(route), route.sensitive]).toEqual([nameOf(route), 'asks']);
    expect(STAFF_ROLES).toEqual(expect.arrayContaining([...(route.access as string[])]));
  }
});

/** Sensitive calls of staff that never wait for a second person, with reasons. */
const WITHOUT_APPROVAL: readonly (readonly [pattern: string, reason: string])[] = [
  [`PATCH ${LEVELS}/.*toggle-status.*`, 'a stopped account loses nothing, and whom it worries acts at once'],
  ['POST accounts/bulk-status', 'a stopped account loses nothing, and whom it worries acts at once'],
  ['POST players/bulk-limit', 'guards players, not credit'],
  ['(PUT|POST) players/.*', 'guards players, not credit'],
  ['PUT firststeps/simulation/:adminId', 'bets only in test networks'],
  ['POST users/chnagepassword', 'is about one’s own password'],
  ['(POST|DELETE) auth/factors.*', 'is about the own second factors'],
  ['DELETE auth/sessions.*', 'is about the own sessions'],
  ['POST live/(addresult|generateresult)', 'has the two-person mode, which closes betting at once'],
  ['POST game', 'a new game has no draws and belongs to no network'],
  ['(PUT game/:id/:action|DELETE game/:id)', 'moves no credit: running draws finish'],
  ['(POST schedule|PUT schedule/:id)', 'changes no opened draw, and outside results take two people'],
  ['PUT limits/:adminId', 'says how much players may stake, within what the table pays'],
  ['PUT percentage/bulk/winpercentage/:id', 'is published with each draw and never looks at stakes'],
  ['(POST apikeys|PUT apikeys/:keyId|POST apikeys/:keyId/end)', 'calls by a key wait as those of the account'],
  ['POST approvals/:approvalId/approve', 'is the approval'],
  ['DELETE logins/:number', 'takes rights away'],
  [
    'POST (logins/:number/invitation|invitations/:accountId)',
    'gives no right, and its maker is no second person for it',
  ],
  ['DELETE backup/deletebackup', 'what may be evidence stays'],
];

it('every sensitive call of staff says which actions may need a second person, or why none does', () => {
  const isSensitive = ({ sensitive }: Route): boolean => sensitive !== undefined && sensitive !== false;
  const isForStaff = ({ permission }: Route): boolean => permission !== undefined;
  const reasonOf = (route: Route): string | undefined =>
    WITHOUT_APPROVAL.find(([pattern]) => new RegExp(`^${pattern}$`).test(nameOf(route)))?.[1];
  for (const route of ROUTES.filter(isForStaff).filter(isSensitive))
    expect([nameOf(route), (route.approval === undefined) !== (reasonOf(route) === undefined)]).toEqual([
      nameOf(route),
      true,
    ]);
});
