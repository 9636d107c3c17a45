import { Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { firstTexts } from '../../firstTexts.ts';
import mark from '../../ui/mark.svg';
import classes from './AuthPage.module.css';

export function AuthPage({ title, children }: { title: string; children: ReactNode }) {
  return (
    <main className={classes.page}>
      <title>{`${title} – ${firstTexts.product}`}</title>
      <div className={classes.box}>
        <img src={mark} alt="" width={40} height={40} />
        <Title order={1} className={classes.title}>
          {firstTexts.product}
        </Title>
        {children}
      </div>
    </main>
  );
}
