import { simulatePlayers } from '@drawhouse/contract/first-steps/first-steps';
import type { dashboard } from '@drawhouse/contract/reports/dashboard';
import type { RouteAnswer } from '@drawhouse/contract/core/route';
import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { call, errorMessage } from '../../../lib/server/api.ts';
import { reload } from '../../../lib/server/queryClient.ts';
import { detailsPath } from '../../../lib/paths.ts';
import { failureNote } from '../../../lib/RequestId.tsx';
import { DateTime } from '../../../ui/mark/DateTime.tsx';
import { TestBadge } from '../../../ui/mark/StatusBadge.tsx';
import { PathLink } from '../../../ui/page/PathLink.tsx';
import classes from './FirstSteps.module.css';
import { dashboardTexts } from './dashboardTexts.ts';
import { richText } from '@drawhouse/session/rich-text';

type Tests = RouteAnswer<typeof dashboard>['tests'];

export function TestNetworks({ tests }: { tests: Tests }) {
  const simulation = useMutation({
    mutationFn: ({ adminId, running }: { adminId: string; running: boolean }) =>
      call(simulatePlayers, { params: { adminId }, body: { running } }),
    onSuccess: ({ message }) => {
      notifications.show({ message });
      return reload(['counts']);
    },
    onError: (error) => notifications.show({ color: 'red', message: failureNote(errorMessage(error)) }),
  });
  return (
    <section className={classes.tests} aria-labelledby="dashboard-tests">
      <h2 id="dashboard-tests" className={classes.title}>
        {dashboardTexts.tryItWithSimulated}
      </h2>
      <ul className={classes.steps}>
        {tests.map(({ adminId, username, simulatedUntil }) => (
          <li key={adminId} className={classes.test}>
            <span className={classes.network}>
              <PathLink href={detailsPath('superadmin', 'admin', adminId)}>{username}</PathLink>
              <TestBadge isTest />
            </span>
            <Button
              size="xs"
              variant="default"
              loading={simulation.isPending && simulation.variables.adminId === adminId}
              aria-label={dashboardTexts.simulatedPlayers(
                simulatedUntil === null ? dashboardTexts.start : dashboardTexts.stop,
                username,
              )}
              onClick={() => simulation.mutate({ adminId, running: simulatedUntil === null })}
            >
              {simulatedUntil === null ? dashboardTexts.startSimulatedPlayers : dashboardTexts.stopSimulatedPlayers}
            </Button>
            {simulatedUntil !== null && (
              <span className={classes.until}>
                {richText(dashboardTexts.aboutOneBetSecond, { time: <DateTime value={simulatedUntil} /> })}
              </span>
            )}
          </li>
        ))}
      </ul>
      <p className={classes.note}>{dashboardTexts.serverBetsWithCredit}</p>
    </section>
  );
}
