import { WEBHOOK_UNSET } from '@drawhouse/contract/notices/notice-texts';
import { testWebhook } from '@drawhouse/contract/notices/notices';
import { Button } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { call, errorMessage } from '../../lib/server/api.ts';
import { FailureText } from '../../lib/RequestId.tsx';
import { queryKeys } from '../../lib/server/queryKeys.ts';
import { useNotices } from './useNotices.ts';
import classes from './WebhookCard.module.css';
import { noticesTexts } from './noticesTexts.ts';

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
          {noticesTexts.noticesByWebhook}
        </h2>
        <p className={classes.text}>{webhook ? noticesTexts.sentWhenTheyBegin(webhook.to) : WEBHOOK_UNSET}</p>
        <output className={classes.answer}>
          {test.data?.message}
          {test.error && <FailureText message={errorMessage(test.error)} />}
        </output>
      </div>
      {webhook && (
        <Button variant="default" loading={test.isPending} onClick={() => test.mutate()}>
          {noticesTexts.sendTestMessage}
        </Button>
      )}
    </section>
  );
}
