import { newPassword } from '@drawhouse/contract/accounts/accounts';
import * as z from 'zod/mini';
import { schemaErrors } from '../../lib/schemaErrors.ts';
import { commonTexts } from '../../commonTexts.ts';

const texts = commonTexts.profile;

/** What stands in the form of a new password. */
export interface PasswordForm {
  opass: string;
  npass: string;
  cpass: string;
}

/** Empty as it begins, and again after success. */
export const EMPTY_PASSWORD_FORM: PasswordForm = { opass: '', npass: '', cpass: '' };

/** A sentence about the whole form, and the wrong fields: each with its own sentence, or only marked. */
export interface PasswordErrors {
  text: string | null;
  fields: Record<string, string | true>;
}

/** What is wrong with the form, by the spec's rules in their order, then by the rule of new passwords. */
export function passwordErrors(values: PasswordForm): PasswordErrors {
  const empty = Object.entries(values).filter(([, value]) => value === '');
  if (empty.length > 0) return { text: texts.fillAll, fields: Object.fromEntries(empty.map(([name]) => [name, true])) };
  if (values.npass !== values.cpass) return { text: null, fields: { cpass: texts.noMatch } };
  return { text: null, fields: schemaErrors(z.object({ npass: newPassword }), values) };
}
