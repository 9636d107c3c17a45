import { FAVORITE_LIMITS } from '@drawhouse/contract/players/player-limits';
import { TICKET_LIMITS } from '@drawhouse/contract/tickets/ticket-limits';
import { expand, type SlipLine } from '@drawhouse/rules/bet-text/expand';
import { lineName, textOf } from '@drawhouse/rules/bet-text/line-name';
import type { GameRules } from '@drawhouse/rules/games/rules';
import { type FormEvent, useState } from 'react';
import { pointsText } from '../../lib/amounts.ts';
import { sharedText } from '../../lib/inLanguage.ts';
import { betsText } from '../../lib/playerTexts.ts';
import { useDraftText } from '../../lib/session/useDraftBackup.ts';
import { call, failureText } from '../../lib/server/playerApi.ts';
import { refetch, updateCached, useQuery } from '../../lib/server/useQuery.ts';
import { Button } from '../../ui/Button.tsx';
import { Field } from '../../ui/fields/Fields.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { ReadFailure, Skeleton } from '../../ui/Page.tsx';
import { Sheet } from '../../ui/sheets/Sheet.tsx';
import { stakeOf } from '../slip/slipSums.ts';
import { type Favorite, favoriteRoutes } from './sheetRoutes.ts';
import styles from './PlaySheets.module.css';
import { lazyTexts } from '../lazyTexts.ts';

const texts = lazyTexts.favorites;

interface FavoritesSheetProps {
  gameId: string;
  rules: GameRules;
  unitPrice: number;
  lines: readonly SlipLine[];
  onLoad: (lines: readonly SlipLine[]) => void;
  onClose: () => void;
}

export function FavoritesSheet({ gameId, rules, unitPrice, lines, onLoad, onClose }: FavoritesSheetProps) {
  const { saved, failure, isBusy, save, remove } = useFavorites(gameId);
  const { data, error, reload } = saved;
  const [removed, setRemoved] = useState<Favorite | null>(null);
  const undo = async ({ name, bets }: Favorite) => {
    if (await save(name, bets)) setRemoved(null);
  };
  return (
    <Sheet title={texts.title} onClose={onClose}>
      {error !== undefined && <ReadFailure error={error} onRetry={reload} />}
      {data === undefined && error === undefined && <Skeleton heights={[48, 48]} label={texts.loading} />}
      {data?.length === 0 && <p>{texts.none}</p>}
      {data && data.length > 0 && <p>{texts.load}</p>}
      {data && data.length > 0 && (
        <ul className={styles.favorites}>
          {data.map((favorite) => (
            <FavoriteRow
              key={favorite._id}
              {...{ favorite, rules, unitPrice, isBusy }}
              onRemove={async () => {
                if (await remove(favorite)) setRemoved(favorite);
              }}
              onLoad={(bets) => {
                onLoad(bets);
                onClose();
              }}
            />
          ))}
        </ul>
      )}
      {removed && (
        <Notice
          isSaid
          title={texts.deleted(removed.name)}
          beside={
            <Button kind="quiet" ref={takeFocus} isBusy={isBusy} onClick={() => void undo(removed)}>
              {texts.undo}
            </Button>
          }
        />
      )}
      {failure !== null && <Notice tone="bad" isSaid title={failure} />}
      {data && data.length > 0 && lines.length === 0 && <p className={styles.about}>{texts.emptySlip}</p>}
      {data && lines.length > 0 && <SaveForm text={textOf(lines, rules)} isBusy={isBusy} onSave={save} />}
    </Sheet>
  );
}

const takeFocus = (button: HTMLButtonElement | null): void => button?.focus();

function useFavorites(gameId: string) {
  const name = `favorites/${gameId}`;
  const saved = useQuery(name, async (signal) => {
    const answer = await call(favoriteRoutes.list, { query: { gameId } }, { signal, background: true });
    return answer.data;
  });
  const [failure, setFailure] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);
  const act = async (change: () => Promise<void>): Promise<boolean> => {
    setBusy(true);
    setFailure(null);
    try {
      await change();
      return true;
    } catch (error) {
      setFailure(failureText(error));
      refetch(name);
      return false;
    } finally {
      setBusy(false);
    }
  };
  return {
    saved,
    failure,
    isBusy,
    save: (as: string, bets: string) =>
      act(async () => {
        const { data } = await call(favoriteRoutes.save, { body: { gameId, name: as, bets } });
        updateCached(name, () => data);
      }),
    remove: ({ _id: favoriteId }: Favorite) =>
      act(async () => {
        await call(favoriteRoutes.remove, { params: { favoriteId } });
        updateCached<Favorite[]>(name, (before) => before.filter(({ _id }) => _id !== favoriteId));
      }),
  };
}

const MOST_NAMES = 12;

const namesOf = (bets: readonly SlipLine[], rules: GameRules): string =>
  bets
    .slice(0, MOST_NAMES)
    .map((bet) => sharedText(lineName(bet, rules)))
    .join(', ');

interface FavoriteRowProps {
  favorite: Favorite;
  rules: GameRules;
  unitPrice: number;
  isBusy: boolean;
  onLoad: (bets: readonly SlipLine[]) => void;
  onRemove: () => Promise<void>;
}

function FavoriteRow({ favorite: { name, bets: text }, rules, unitPrice, isBusy, onLoad, onRemove }: FavoriteRowProps) {
  const bets = expand(text, rules, TICKET_LIMITS).lines;
  return (
    <li>
      <Button isWide aria-disabled={bets.length === 0} onClick={() => onLoad(bets)}>
        <span className={styles.name}>
          {name}
          <span className={styles.bets}>
            {betsText(bets.length)}, {pointsText(stakeOf(bets, unitPrice))}: {namesOf(bets, rules) || text}
          </span>
        </span>
      </Button>
      <Button kind="quiet" aria-label={texts.deleteNamed(name)} aria-disabled={isBusy} onClick={() => void onRemove()}>
        {texts.delete}
      </Button>
    </li>
  );
}

interface SaveFormProps {
  text: string;
  isBusy: boolean;
  onSave: (name: string, text: string) => Promise<boolean>;
}

function SaveForm({ text, isBusy, onSave }: SaveFormProps) {
  const [name, setName] = useDraftText('favorite');
  const isTooLong = text.length > FAVORITE_LIMITS.text;
  const save = async (event: FormEvent) => {
    event.preventDefault();
    if (name.trim() === '' || isTooLong) return;
    if (await onSave(name, text)) setName('');
  };
  if (isTooLong) return <p>{texts.tooLong}</p>;
  return (
    <form className={styles.save} onSubmit={(event) => void save(event)}>
      <Field
        label={texts.name}
        value={name}
        maxLength={FAVORITE_LIMITS.name}
        onChange={(event) => setName(event.target.value)}
      />
      <Button type="submit" isBusy={isBusy} aria-disabled={name.trim() === ''}>
        {texts.save}
      </Button>
    </form>
  );
}
