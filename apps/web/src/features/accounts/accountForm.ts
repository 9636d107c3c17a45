import { createBody, DEFAULT_COMMISSION_CEILING } from '@drawhouse/contract/accounts/accounts';
import type { Role } from '@drawhouse/contract/frame/primitives';
import { parsePoints } from '../../lib/pointsMath.ts';
import { schemaErrors } from '../../lib/schemaErrors.ts';
import type { Level } from '../../commonTexts.ts';
import { accountFormTexts } from './accountFormTexts.ts';

const texts = accountFormTexts;

/** What the create form holds. Commission is kept as it was typed. */
export interface AccountForm {
  username: string;
  password: string;
  commission: string;
  /** Of admins; only a superadmin sees it. */
  commissionCeiling: string;
  note: string;
  refId: string | null;
  userStatus: 'active' | 'deactive';
  /** Of staff; empty for none. Only an edit has it. */
  dailyLimit: string;
  /** Of admins; empty for the net credit given to the network. Only an edit has it. */
  tableLine: string;
  /** Of an admin's network. Only an edit has it. */
  tokenSessions: boolean;
  games: string[];
}

/** An empty form with the spec's defaults; the reference is chosen already where there is only one. */
export function emptyAccountForm(refId: string | null): AccountForm {
  return {
    username: '',
    password: '',
    commission: '0',
    commissionCeiling: String(DEFAULT_COMMISSION_CEILING),
    note: texts.defaultNote,
    refId,
    userStatus: 'active',
    dailyLimit: '',
    tableLine: '',
    tokenSessions: true,
    games: [],
  };
}

/** What an account is made of. */
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

/** The same for the call. The usual ceiling stays out: another one asks for the password. */
export function newAccountBody(level: Level, form: AccountForm) {
  const { commissionCeiling, ...body } = accountBody(level, form);
  return commissionCeiling === undefined || commissionCeiling === DEFAULT_COMMISSION_CEILING
    ? body
    : { ...body, commissionCeiling };
}

/** What is wrong with the form, by field, in the spec's words and the contract's. */
export function accountErrors(level: Level, form: AccountForm): Record<string, string> {
  const errors = schemaErrors(createBody(level), accountBody(level, form));
  if (form.commission.trim() === '') errors['commission'] = texts.commissionRequired;
  if (form.note.trim() === '') errors['note'] = texts.noteRequired;
  if (form.refId === null) errors['refId'] = texts.referenceRequired;
  return errors;
}
