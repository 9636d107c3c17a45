import { createBody, DEFAULT_COMMISSION_CEILING } from '@drawhouse/contract/accounts/accounts';
import type { Role } from '@drawhouse/contract/core/primitives';
import { parsePoints } from '../../../lib/format/format.ts';
import { schemaErrors } from '../../../lib/form/schemaErrors.ts';
import type { Level } from '../../../commonTexts.ts';
import { accountFormTexts } from './accountFormTexts.ts';

const texts = accountFormTexts;

export interface AccountForm {
  username: string;
  password: string;
  /** Staff only, on creation: the person chooses the password. */
  invites: boolean;
  commission: string;
  commissionCeiling: string;
  note: string;
  refId: string | null;
  userStatus: 'active' | 'deactive';
  /** Staff only, on edit. Empty: unlimited. */
  dailyLimit: string;
  /** Admins only, on edit. Empty: the net credit given to the network. */
  tableLine: string;
  /** This and the next fields: admins only, on edit. */
  tokenSessions: boolean;
  factorRoles: string[];
  passwordFirst: boolean;
  rememberDevices: boolean;
  testNetwork: boolean;
  games: string[];
}

/** Defaults of the spec. */
export function emptyAccountForm(refId: string | null): AccountForm {
  return {
    username: '',
    password: '',
    invites: false,
    commission: '0',
    commissionCeiling: String(DEFAULT_COMMISSION_CEILING),
    note: texts.defaultNote,
    refId,
    userStatus: 'active',
    dailyLimit: '',
    tableLine: '',
    tokenSessions: true,
    factorRoles: [],
    passwordFirst: false,
    rememberDevices: false,
    testNetwork: false,
    games: [],
  };
}

export function accountBody(level: Level, form: AccountForm) {
  return {
    username: form.username.trim(),
    password: form.password,
    commission: parsePoints(form.commission) ?? Number.NaN,
    note: form.note.trim(),
    refId: form.refId ?? undefined,
    userStatus: form.userStatus === 'active',
    role: level satisfies Role,
    ...(level === 'admin' && {
      games: form.games,
      commissionCeiling: parsePoints(form.commissionCeiling) ?? Number.NaN,
    }),
  };
}

/** Omits the default ceiling, since another value needs the password. */
export function newAccountBody(level: Level, form: AccountForm) {
  // An invitation replaces the random password.
  const { commissionCeiling, ...body } = accountBody(
    level,
    form.invites ? { ...form, password: firstPassword() } : form,
  );
  return commissionCeiling === undefined || commissionCeiling === DEFAULT_COMMISSION_CEILING
    ? body
    : { ...body, commissionCeiling };
}

export function accountErrors(level: Level, form: AccountForm): Record<string, string> {
  const errors = schemaErrors(createBody(level), accountBody(level, form));
  if (form.invites) delete errors['password'];
  if (form.commission.trim() === '') errors['commission'] = texts.commissionRequired;
  if (form.note.trim() === '') errors['note'] = texts.noteRequired;
  if (form.refId === null) errors['refId'] = texts.referenceRequired;
  return errors;
}

export function chosenFirst<Game extends { readonly _id: string }>(
  games: readonly Game[],
  chosen: ReadonlySet<string>,
): readonly Game[] {
  return games.toSorted((a, b) => Number(chosen.has(b._id)) - Number(chosen.has(a._id)));
}

/** No letters and digits that look alike. */
const LETTERS = 'abcdefghjkmnpqrstuvwxyz23456789';
const GROUPS = 3;
const GROUP_LENGTH = 4;

/** Contains about 59 random bits and is easy to read from paper: `k7mq-w3xd-9hpt`. */
export function firstPassword(): string {
  const letters: string[] = [];
  // An incomplete last run of letters would favor some.
  const limit = 256 - (256 % LETTERS.length);
  while (letters.length < GROUPS * GROUP_LENGTH)
    for (const byte of crypto.getRandomValues(new Uint8Array(32)))
      if (byte < limit && letters.length < GROUPS * GROUP_LENGTH) letters.push(LETTERS[byte % LETTERS.length]!);
  return Array.from({ length: GROUPS }, (_, nth) =>
    letters.slice(nth * GROUP_LENGTH, (nth + 1) * GROUP_LENGTH).join(''),
  ).join('-');
}
