import { WEBHOOK_UNSET } from '@drawhouse/contract/notices/notice-texts';
import { testWebhook } from '@drawhouse/contract/notices/notices';
import { Button } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { call, errorMessage } from '../../lib/server/api.ts';
import { FailureText } from '../../lib/RequestId.tsx';
import { queryKeys } from '../../lib/server/queryKeys.ts';
import { useNotices } from './useNotices.ts';
import classes from './WebhookCard.module.css';

export function WebhookCard() {
  const queries = useQueryClient();
  const webhook = useNotices()?.webhook;
  const test = useMutation({
    mutationFn: () => call(testWebhook, {}),
    // The test may change the notice about an unanswered webhook.
    onSettled: () => queries.invalidateQueries({ queryKey: [queryKeys.notices] }),
  });
  if (webhook === undefined) return null;
  return (
    <section className={classes.card} aria-labelledby="webhook-title">
      <div className={classes.words}>
        <h2 id="webhook-title" className={classes.title}>
          Notices by webhook
        </h2>
        <p className={classes.text}>{webhook ? `Sent to ${webhook.to} when they begin and end.` : WEBHOOK_UNSET}</p>
        <output className={classes.answer}>
          {test.data?.message}
          {test.error && <FailureText said={errorMessage(test.error)} />}
        </output>
      </div>
      {webhook && (
        <Button variant="default" loading={test.isPending} onClick={() => test.mutate()}>
          Send a test message
        </Button>
      )}
    </section>
  );
}
