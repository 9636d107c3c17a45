import type { ShownLimit } from '@drawhouse/contract/players/protection';
import { PROTECTION_LIMITS } from '@drawhouse/contract/players/protection-names';
import { useCallback, useState } from 'react';
import { sharedText } from '../../lib/inLanguage.ts';
import { call } from '../../lib/server/playerApi.ts';
import { accountRoutes } from '../accountRoutes.ts';
import { useServerTime } from '../../lib/server/serverTime.ts';
import { richText } from '@drawhouse/session/rich-text';
import { Button } from '../../ui/Button.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { limitText, limitTexts } from './limitTexts.ts';
import { shareUsed, usedText } from './limitValue.ts';
import { LimitSheet } from './LimitSheet.tsx';
import { useLimitChange } from './useLimitChange.ts';
import styles from './MyLimitsPage.module.css';

const texts = limitTexts.row;

export function LimitRow({ shown, isFixed }: { shown: ShownLimit; isFixed: boolean }) {
  const [isChanging, setChanging] = useState(false);
  const { limit, value, own, managers, setBy, pending } = shown;
  const share = shareUsed(shown);
  const used = usedText(shown);
  const name = sharedText(PROTECTION_LIMITS[limit]);
  return (
    <li className={styles.row}>
      <div className={styles.head}>
        <div>
          <h3>{name}</h3>
          <strong>{limitText(limit, value)}</strong>
        </div>
        {!isFixed && (
          <Button kind="quiet" aria-label={texts.changeNamed(name)} onClick={() => setChanging(true)}>
            {texts.change}
          </Button>
        )}
      </div>
      {share !== null && (
        <div className={styles.bar} aria-hidden="true">
          <i style={{ width: `${share * 100}%` }} data-full={share === 1 || undefined} />
        </div>
      )}
      <p className={styles.note}>
        {[
          setBy === 'manager' && texts.byManager,
          setBy === 'manager' && own !== null && texts.own(limitText(limit, own)),
          setBy === 'player' && managers !== null && texts.managers(limitText(limit, managers)),
          used,
        ]
          .filter(Boolean)
          .join(' ')}
      </p>
      {pending && <Pending shown={shown} pending={pending} isFixed={isFixed} />}
      {isChanging && <LimitSheet shown={shown} onClose={() => setChanging(false)} />}
    </li>
  );
}

interface PendingProps {
  shown: ShownLimit;
  pending: NonNullable<ShownLimit['pending']>;
  isFixed: boolean;
}

function Pending({ shown: { limit }, pending: { value, askedAt, from }, isFixed }: PendingProps) {
  const isDue = useServerTime(useCallback((now: number) => now >= Date.parse(from), [from]));
  const { isBusy, failure, change } = useLimitChange();
  const params = { params: { limit } };
  return (
    <div className={styles.pending}>
      <p>
        {richText(texts.requested(askedAt), { limit: <strong>{limitText(limit, value).toLowerCase()}</strong> })}{' '}
        {isDue ? texts.due : texts.notDue(from)}
      </p>
      {failure !== null && <Notice tone="bad" isSaid title={failure} />}
      {!isFixed && (
        <div className={styles.acts}>
          {isDue && (
            <Button isBusy={isBusy} onClick={() => void change(() => call(accountRoutes.confirmLimit, params))}>
              {texts.confirm}
            </Button>
          )}
          <Button isBusy={isBusy} onClick={() => void change(() => call(accountRoutes.withdrawLimit, params))}>
            {texts.withdraw}
          </Button>
        </div>
      )}
    </div>
  );
}
