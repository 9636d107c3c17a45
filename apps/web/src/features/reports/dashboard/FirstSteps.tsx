import type { dashboard } from '@drawhouse/contract/reports/dashboard';
import type { AuthUser } from '@drawhouse/contract/auth/auth';
import { ROLES } from '@drawhouse/contract/core/primitives';
import type { RouteAnswer } from '@drawhouse/contract/core/route';
import { Button } from '@mantine/core';
import { IconArrowRight, IconCircle, IconCircleCheck } from '@tabler/icons-react';
import { addPath, chainPath, creditPath, listPath, panelPath, PLAYERS_PATH, withSearch } from '../../../lib/paths.ts';
import type { Level } from '../../../commonTexts.ts';
import { PathLink } from '../../../ui/page/PathLink.tsx';
import classes from './FirstSteps.module.css';
import { dashboardTexts } from './dashboardTexts.ts';
import { richText } from '@drawhouse/session/rich-text';

type Now = Pick<RouteAnswer<typeof dashboard>, 'counts' | 'hasPlayed' | 'hasGiven' | 'steps'>;

interface Step {
  text: string;
  href: string;
  done: boolean;
}

/** Until the first draw with bets has settled. On that day, only the way to its panel remains. */
export function FirstSteps({ user, now }: { user: AuthUser; now: Now }) {
  const steps = stepsOf(user, now);
  const next = steps.find(({ done }) => !done);
  if (now.hasPlayed && !now.steps) return null;
  if (!next || now.hasPlayed) return <AllDone panel={now.steps ? steps.at(-1)! : null} isSettled={now.hasPlayed} />;
  const mayMakeChain = user.role === 'superadmin' && (now.counts.admin ?? 0) === 0 && next !== steps[0];
  const playersAddress = `${window.location.origin}${PLAYERS_PATH}`;
  return (
    <section className={classes.first} aria-labelledby="dashboard-first">
      <h2 id="dashboard-first" className={classes.title}>
        {dashboardTexts.noOneHasPlayed}
      </h2>
      <ol className={classes.steps}>
        {steps.map(({ text, href, done }) => (
          <li key={text} className={classes.step} data-done={done || undefined}>
            {done ? (
              <IconCircleCheck size={18} aria-label={dashboardTexts.done} />
            ) : (
              <IconCircle size={18} aria-hidden />
            )}
            <PathLink href={href}>{text}</PathLink>
          </li>
        ))}
      </ol>
      <p className={classes.acts}>
        <Button
          component={PathLink}
          href={mayMakeChain ? chainPath(user.role) : next.href}
          rightSection={<IconArrowRight size={16} aria-hidden />}
        >
          {mayMakeChain ? dashboardTexts.nextAllAccountsWith : `Next: ${next.text}`}
        </Button>
      </p>
      <p className={classes.note}>
        {richText(dashboardTexts.playersSignInAt, { link: <a href={PLAYERS_PATH}>{playersAddress}</a> })}
      </p>
    </section>
  );
}

function AllDone({ panel, isSettled }: { panel: Step | null; isSettled: boolean }) {
  return (
    <section className={classes.first} aria-labelledby="dashboard-first">
      <h2 id="dashboard-first" className={classes.title}>
        {isSettled ? dashboardTexts.firstDrawSettled : dashboardTexts.allStepsDone}
      </h2>
      <p className={classes.note}>{isSettled ? dashboardTexts.panelShowsDraws : dashboardTexts.figuresAfterDraw}</p>
      {panel && (
        <p className={classes.acts}>
          <Button component={PathLink} href={panel.href} rightSection={<IconArrowRight size={16} aria-hidden />}>
            {panel.text}
          </Button>
        </p>
      )}
    </section>
  );
}

export function isSetUp(user: AuthUser, now: Now): boolean {
  return stepsOf(user, now).every(({ done }) => done);
}

const ADD: Readonly<Record<Level, string>> = {
  admin: dashboardTexts.addAdminAndChoose,
  superdistributor: dashboardTexts.addSuperDistributor,
  distributor: dashboardTexts.addDistributor,
  retailer: dashboardTexts.addRetailer,
  user: dashboardTexts.addPlayer,
};

/** Returns eight steps for a superadmin; others, and those of other cells than the first, issue no credit. */
export function stepsOf(
  { role, _id, followsFirstCell }: Pick<AuthUser, 'role' | '_id' | 'followsFirstCell'>,
  { counts, hasGiven, steps }: Now,
): Step[] {
  const levels = ROLES.slice(ROLES.indexOf(role) + 1) as Level[];
  const { panel } = steps ?? {};
  return [
    ...(role === 'superadmin' && followsFirstCell !== true
      ? [
          {
            text: dashboardTexts.issueCreditYourself,
            href: withSearch(creditPath(role, role, 'creditadjust', _id), { next: 'steps' }),
            done: steps?.hasCredit ?? false,
          },
        ]
      : []),
    ...levels.map((level) => ({ text: ADD[level], href: addPath(role, level), done: (counts[level] ?? 0) > 0 })),
    {
      text: levels.length > 1 ? dashboardTexts.givePlayerCredit : dashboardTexts.giveCreditYourPlayers,
      href: listPath(role, 'user'),
      done: steps?.playerHasCredit ?? hasGiven,
    },
    ...(steps
      ? [
          {
            text: dashboardTexts.seeFirstBetOn,
            href: panel ? panelPath(role, panel.gameId, panel.adminId, panel.username) : listPath(role, 'user'),
            done: steps.hasBet,
          },
        ]
      : []),
  ];
}
