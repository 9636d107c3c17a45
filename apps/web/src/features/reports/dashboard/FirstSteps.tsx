import type { dashboard } from '@drawhouse/contract/reports/dashboard';
import type { AuthUser } from '@drawhouse/contract/auth/auth';
import { roleBelow } from '@drawhouse/contract/core/primitives';
import type { RouteAnswer } from '@drawhouse/contract/core/route';
import { IconCircle, IconCircleCheck } from '@tabler/icons-react';
import { addPath, creditPath, listPath } from '../../../lib/paths.ts';
import { commonTexts } from '../../../commonTexts.ts';
import type { Level } from '../../../commonTexts.ts';
import { PathLink } from '../../../ui/page/PathLink.tsx';
import classes from './FirstSteps.module.css';

interface FirstStepsProps {
  user: AuthUser;
  counts: RouteAnswer<typeof dashboard>['counts'];
  hasGiven: boolean;
}

interface Step {
  text: string;
  href: string;
  done: boolean;
}

/** Shown until somebody in the network has played. */
export function FirstSteps(props: FirstStepsProps) {
  return (
    <section className={classes.first} aria-labelledby="dashboard-first">
      <h2 id="dashboard-first" className={classes.title}>
        No one has played yet. First steps
      </h2>
      <ol className={classes.steps}>
        {stepsOf(props).map(({ text, href, done }) => (
          <li key={text} className={classes.step} data-done={done || undefined}>
            {done ? <IconCircleCheck size={18} aria-label="Done" /> : <IconCircle size={18} aria-hidden />}
            <PathLink href={href}>{text}</PathLink>
          </li>
        ))}
      </ol>
      <p className={classes.note}>The figures below start when the first draw with bets is settled.</p>
    </section>
  );
}

function stepsOf({ user: { role, _id, walletBalance }, counts, hasGiven }: FirstStepsProps): Step[] {
  const below = roleBelow(role)! as Level;
  const name = commonTexts.dashboard.cards[below].toLowerCase();
  const hasBelow = (counts[below] ?? 0) > 0;
  return [
    ...(role === 'superadmin'
      ? [
          {
            text: 'Issue credit to yourself',
            href: creditPath(role, role, 'creditadjust', _id),
            done: walletBalance > 0 || hasBelow,
          },
        ]
      : []),
    {
      text: below === 'admin' ? 'Add the first admin and choose its games' : `Add your first ${name}`,
      href: addPath(role, below),
      done: hasBelow,
    },
    { text: `Give credit to your ${name}`, href: listPath(role, below), done: hasGiven },
    ...(below === 'user'
      ? []
      : [{ text: 'Create your first player', href: listPath(role, 'user'), done: (counts.user ?? 0) > 0 }]),
  ];
}
