import { newPassword } from '@drawhouse/contract/accounts/accounts';
import * as z from 'zod/mini';
import { schemaErrors } from '../../lib/schemaErrors.ts';
import { commonTexts } from '../../commonTexts.ts';

const texts = commonTexts.profile;

export interface PasswordForm {
  opass: string;
  npass: string;
  cpass: string;
}

export const EMPTY_PASSWORD_FORM: PasswordForm = { opass: '', npass: '', cpass: '' };

/** One message for the form, plus the invalid fields: with a message, or only marked. */
export interface PasswordErrors {
  text: string | null;
  fields: Record<string, string | true>;
}

export function passwordErrors(values: PasswordForm): PasswordErrors {
  const empty = Object.entries(values).filter(([, value]) => value === '');
  if (empty.length > 0) return { text: texts.fillAll, fields: Object.fromEntries(empty.map(([name]) => [name, true])) };
  if (values.npass !== values.cpass) return { text: null, fields: { cpass: texts.noMatch } };
  return { text: null, fields: schemaErrors(z.object({ npass: newPassword }), values) };
}
