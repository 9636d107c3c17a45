import { PasswordInput, TextInput } from '@mantine/core';
import { firstTexts } from '../../firstTexts.ts';

interface CredentialFieldsProps {
  form: {
    key: (name: 'username' | 'password') => string;
    getInputProps: (name: 'username' | 'password') => object;
  };
  /** Tells password managers to fill in or to suggest a password. */
  password: 'current-password' | 'new-password';
}

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
