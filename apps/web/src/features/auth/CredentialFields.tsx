import { PasswordInput, TextInput } from '@mantine/core';
import { firstTexts } from '../../firstTexts.ts';

interface CredentialFieldsProps {
  /** The form, uncontrolled, with a `username` and a `password` among its fields. */
  form: {
    key: (name: 'username' | 'password') => string;
    getInputProps: (name: 'username' | 'password') => object;
  };
  /** Tells a password manager whether to fill in a password or to think of one. */
  password: 'current-password' | 'new-password';
}

/** The username and the password of those who come from outside. */
export function CredentialFields({ form, password }: CredentialFieldsProps) {
  return (
    <>
      <TextInput
        label={firstTexts.auth.username}
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        key={form.key('username')}
        {...form.getInputProps('username')}
      />
      <PasswordInput
        label={firstTexts.auth.password}
        autoComplete={password}
        key={form.key('password')}
        {...form.getInputProps('password')}
      />
    </>
  );
}
