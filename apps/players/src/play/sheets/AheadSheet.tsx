import { drawName } from '@drawhouse/rules/time/draw-name';
import { ApiError } from '@drawhouse/session/api-client';
import { LANGUAGES, language } from '@drawhouse/session/language';
import { useState } from 'react';
import { noteWallet } from '../../lib/betting/wallet.ts';
import { call, failureText } from '../../lib/server/playerApi.ts';
import { useQuery } from '../../lib/server/useQuery.ts';
import { showToast } from '../../lib/toast.ts';
import { Button } from '../../ui/Button.tsx';
import { Checkbox } from '../../ui/fields/Options.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { ReadFailure, Skeleton } from '../../ui/Page.tsx';
import { Sheet } from '../../ui/sheets/Sheet.tsx';
import { sentLines } from '../placing/betRequest.ts';
import { stakeOf } from '../slip/slipSums.ts';
import type { SlipEditor } from '../useSlip.ts';
import { lazyTexts } from '../lazyTexts.ts';
import { aheadRoutes } from './sheetRoutes.ts';
import styles from './PlaySheets.module.css';

const texts = lazyTexts.ahead;

interface AheadSheetProps {
  gameId: string;
  unitPrice: number;
  editor: SlipEditor;
  onClose: () => void;
}

/** Buys the slip for each chosen draw: all or none. */
export function AheadSheet({ gameId, unitPrice, editor, onClose }: AheadSheetProps) {
  const [chosen, setChosen] = useState<readonly number[]>([]);
  const { data, error, reload } = useQuery(`ahead/${gameId}`, async (signal) => {
    const answer = await call(aheadRoutes.coming, { query: { gameId } }, { signal, background: true });
    return answer.data;
  });
  const { isBusy, failure, place } = usePlaceAhead(gameId, editor, onClose);
  const stake = stakeOf(editor.slip.lines, unitPrice);
  // Draws that began meanwhile have left the list.
  const draws = chosen.filter((number) => data?.some((draw) => draw.number === number));
  const isReady = draws.length > 0 && stake > 0 && !isBusy;
  return (
    <Sheet
      title={texts.title}
      onClose={onClose}
      actions={
        <Button kind="main" isBusy={isBusy} aria-disabled={!isReady} onClick={() => isReady && void place(draws)}>
          {texts.buy(stake > 0 ? draws.length : 0, stake * draws.length)}
        </Button>
      }
    >
      <p>{stake === 0 ? texts.emptySlip : texts.help(stake)}</p>
      {error !== undefined && <ReadFailure error={error} onRetry={reload} />}
      {data === undefined && error === undefined && <Skeleton heights={[32, 32, 32]} label={texts.loading} />}
      {data?.length === 0 && <p>{texts.none}</p>}
      {data && data.length > 0 && (
        <ul className={styles.draws} aria-label={texts.draws}>
          {data.map(({ number }) => (
            <li key={number}>
              <Checkbox
                label={nameOf(number)}
                checked={chosen.includes(number)}
                disabled={isBusy}
                onChange={({ target: { checked } }) =>
                  setChosen(checked ? [...chosen, number] : chosen.filter((each) => each !== number))
                }
              />
            </li>
          ))}
        </ul>
      )}
      {failure !== null && <Notice tone="bad" isSaid title={failure} />}
    </Sheet>
  );
}

const nameOf = (number: number): string => drawName(number, LANGUAGES[language].dates);

function refusedDraw(error: unknown, draws: readonly number[]): number | undefined {
  const fields = error instanceof ApiError ? Object.keys(error.fields) : [];
  return draws.find((_, place) => fields.includes(`draws.${place}`));
}

/** The slip's request id prevents a second purchase, also after a reload. */
function usePlaceAhead(gameId: string, { slip, requestId, begin }: SlipEditor, onClose: () => void) {
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const place = async (draws: readonly number[]): Promise<void> => {
    setBusy(true);
    setFailure(null);
    const inOrder = draws.toSorted((a, b) => a - b);
    try {
      const body = { gameId, requestId, draws: inOrder, lines: sentLines(slip.lines) };
      const { tickets, walletBalance } = await call(aheadRoutes.place, { body });
      noteWallet({ walletBalance });
      begin();
      showToast(texts.bought(tickets.length));
      onClose();
    } catch (error) {
      const refused = refusedDraw(error, inOrder);
      setFailure(`${refused === undefined ? '' : `${nameOf(refused)}: `}${failureText(error)}`);
      setBusy(false);
    }
  };
  return { isBusy, failure, place };
}
