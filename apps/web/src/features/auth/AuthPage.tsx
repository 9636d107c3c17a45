import { house } from '@drawhouse/session/house';
import { readRole } from '@drawhouse/session/session-storage';
import { Title, PasswordInput, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { firstTexts } from '../../firstTexts.ts';
import { go } from '../../lib/navigation.ts';
import { SIGN_IN_PATH } from '../../lib/paths.ts';
import { HouseMark } from '../../ui/mark/HouseMark.tsx';
import classes from './AuthPage.module.css';

export function AuthPage({ title, children }: { title: string; children: ReactNode }) {
  return (
    <main className={classes.page}>
      <title>{`${title} – ${house.name}`}</title>
      <div className={classes.box}>
        <HouseMark size={40} />
        <Title order={1} className={classes.title}>
          {house.name}
        </Title>
        {children}
      </div>
    </main>
  );
}

interface CredentialFieldsProps {
  form: {
    key: (name: 'username' | 'password') => string;
    getInputProps: (name: 'username' | 'password') => object;
  };
  /** Tells password managers which password to fill in. */
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

let typed: string | undefined;

/** Keeps the password in memory for the change that follows. */
export function keepTypedPassword(password: string): void {
  typed = password;
}

export function typedPassword(): string | undefined {
  return typed;
}

export function forgetTypedPassword(): void {
  typed = undefined;
}

export function withRole<Answer extends { roles: unknown }>(answer: Answer): Answer {
  if (readRole(answer.roles) !== undefined) return answer;
  go.replace(SIGN_IN_PATH);
  throw new Error('The sign-in answer has no role');
}
