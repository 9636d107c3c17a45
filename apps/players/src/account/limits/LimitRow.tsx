import { PROTECTION_LIMITS } from '@drawhouse/contract/players/player-limits';
import type { ShownLimit, OwnProtection, ShownProtection } from '@drawhouse/contract/players/protection';
import { ApiError, failureMessage } from '@drawhouse/session/api-client';
import { richText } from '@drawhouse/session/rich-text';
import { type FormEvent, useCallback, useState } from 'react';
import { sharedText, serverTexts } from '../../lib/inLanguage.ts';
import { call, failureText } from '../../lib/server/playerApi.ts';
import { accountRoutes } from '../accountRoutes.ts';
import { useServerTime } from '../../lib/server/serverTime.ts';
import { Button } from '../../ui/Button.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { useDraftBackup } from '../../lib/session/useDraftBackup.ts';
import { Field } from '../../ui/fields/Fields.tsx';
import { Checkbox } from '../../ui/fields/Options.tsx';
import { Sheet } from '../../ui/sheets/Sheet.tsx';
import { limitText, limitTexts } from './limitTexts.ts';
import styles from './MyLimitsPage.module.css';
import { typedLimit, limitError, changeTo, usedText, shareUsed } from './limitValue.ts';
import { PROTECTION } from '../../lib/betting/useProtection.ts';
import { showToast } from '../../lib/toast.ts';
import { updateCached, refetch } from '../../lib/server/useQuery.ts';

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
          <Button kind="quiet" aria-label={limitTexts.row.changeNamed(name)} onClick={() => setChanging(true)}>
            {limitTexts.row.change}
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
          setBy === 'manager' && limitTexts.row.byManager,
          setBy === 'manager' && own !== null && limitTexts.row.own(limitText(limit, own)),
          setBy === 'player' && managers !== null && limitTexts.row.managers(limitText(limit, managers)),
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
        {richText(limitTexts.row.requested(askedAt), {
          limit: <strong>{limitText(limit, value).toLowerCase()}</strong>,
        })}{' '}
        {isDue ? limitTexts.row.due : limitTexts.row.notDue(from)}
      </p>
      {failure !== null && <Notice tone="bad" isSaid title={failure} />}
      {!isFixed && (
        <div className={styles.acts}>
          {isDue && (
            <Button isBusy={isBusy} onClick={() => void change(() => call(accountRoutes.confirmLimit, params))}>
              {limitTexts.row.confirm}
            </Button>
          )}
          <Button isBusy={isBusy} onClick={() => void change(() => call(accountRoutes.withdrawLimit, params))}>
            {limitTexts.row.withdraw}
          </Button>
        </div>
      )}
    </div>
  );
}

function LimitSheet({ shown, onClose }: { shown: ShownLimit; onClose: () => void }) {
  const { limit, own, managers } = shown;
  const start = own === null ? '' : String(own);
  const [text, setText] = useState(start);
  useDraftBackup(`limit ${limit}`, text === start ? '' : text, setText);
  const [isNone, setNone] = useState(false);
  const [error, setError] = useState<string>();
  const { isBusy, failure, change } = useLimitChange();
  const wrong = isNone ? undefined : limitError(limit, text);
  const next = isNone ? null : typedLimit(text);
  const becomes = wrong === undefined ? changeTo(own, next) : null;
  const send = async (event: FormEvent) => {
    event.preventDefault();
    setError(wrong);
    if (wrong !== undefined || becomes === 'same') return;
    const body = { value: next };
    if (await change(() => call(accountRoutes.setLimit, { params: { limit }, body }))) onClose();
  };
  return (
    <Sheet title={sharedText(PROTECTION_LIMITS[limit])} onClose={onClose}>
      <form onSubmit={(event) => void send(event)} noValidate style={{ display: 'grid', gap: 16 }}>
        <p>{limitTexts.sheet.now(limitText(limit, own))}</p>
        {!isNone && (
          <Field
            label={limit === 'minutesPerDay' ? limitTexts.sheet.minutes : limitTexts.sheet.points}
            inputMode={limit === 'minutesPerDay' ? 'numeric' : 'decimal'}
            autoComplete="off"
            value={text}
            error={error}
            onChange={(event) => {
              setText(event.target.value);
              setError(undefined);
            }}
          />
        )}
        {own !== null && (
          <Checkbox
            label={limitTexts.sheet.none}
            checked={isNone}
            onChange={(event) => {
              setNone(event.target.checked);
              setError(undefined);
            }}
          />
        )}
        <output>{becomes !== null && limitTexts.sheet.changes[becomes]}</output>
        {managers !== null && (next === null || next > managers) && (
          <p>{limitTexts.sheet.lowerApplies(limitText(limit, managers))}</p>
        )}
        {failure !== null && <Notice tone="bad" isSaid title={failure} />}
        <Button kind="main" type="submit" isBusy={isBusy} aria-disabled={becomes === 'same' || undefined}>
          {becomes === 'looser' ? limitTexts.sheet.request : limitTexts.sheet.set}
        </Button>
      </form>
    </Sheet>
  );
}

export const PROTECTION_HISTORY = 'protection/history';

type Changed = Pick<OwnProtection, 'data'> & { readonly message: string };

export function useLimitChange() {
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const change = async (command: () => Promise<Changed>): Promise<boolean> => {
    if (isBusy) return false;
    setBusy(true);
    setFailure(null);
    try {
      const { data, message } = await command();
      updateCached<ShownProtection>(PROTECTION, () => data);
      refetch(PROTECTION_HISTORY);
      showToast(serverTexts.done(message));
      return true;
    } catch (error) {
      const [field] = error instanceof ApiError ? Object.values(error.fields) : [];
      setFailure(field === undefined ? failureText(error) : failureMessage(error, field));
      refetch(PROTECTION);
      return false;
    } finally {
      setBusy(false);
    }
  };
  return { isBusy, failure, change };
}
