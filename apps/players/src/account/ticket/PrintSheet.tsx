import type { ShortSeal } from '@drawhouse/tlog/short-seal';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { createPortal, flushSync } from 'react-dom';
import { call, failureText } from '../../lib/server/playerApi.ts';
import { accountRoutes } from '../accountRoutes.ts';
import { useDeviceStorage } from '../../lib/useDeviceStorage.ts';
import { refetch } from '../../lib/server/useQuery.ts';
import { Button } from '../../ui/Button.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { OneOf } from '../../ui/fields/Options.tsx';
import { Sheet } from '../../ui/sheets/Sheet.tsx';
import type { OwnBet } from './proveBet.ts';
import { PAPERS, TicketSlip } from './TicketSlip.tsx';
import type { Paper } from './TicketSlip.tsx';
import { ticketTexts } from './ticketTexts.ts';
import styles from './TicketSlip.module.css';

const texts = ticketTexts.print;
const CHOICES = [
  ['58', '58 mm'],
  ['80', '80 mm'],
] as const;
const PX_OF_MM = 96 / 25.4;

/** Marks the slip as a copy from the second print on, whichever device printed first. */
export function PrintSheet({ bet, seal, onClose }: { bet: OwnBet; seal: ShortSeal | null; onClose: () => void }) {
  const [storedPaper, storePaper] = useDeviceStorage('paper');
  const paper: Paper = storedPaper !== null && storedPaper in PAPERS ? (storedPaper as Paper) : '58';
  const { firstAt, isBusy, failure, print } = usePrints(bet);
  return (
    <Sheet title={texts.title} onClose={onClose}>
      <OneOf legend={texts.paper} value={paper} options={CHOICES} onChoose={storePaper} />
      {firstAt !== null && <Notice title={texts.printedAt(firstAt)}>{texts.copyNext}</Notice>}
      {failure !== null && <Notice tone="bad" isSaid title={failure} />}
      <Button kind="main" isBusy={isBusy} onClick={() => void print()}>
        {firstAt === null ? texts.print : texts.printCopy}
      </Button>
      <div className={styles.preview}>
        <TicketSlip bet={bet} seal={seal} paper={paper} firstAt={firstAt} />
      </div>
      <PrintedPage bet={bet} seal={seal} paper={paper} firstAt={firstAt} />
    </Sheet>
  );
}

/** Records each print before the dialog opens, because browsers don't report its outcome. */
function usePrints({ ticketId, firstPrintedAt }: OwnBet) {
  const [firstAt, setFirstAt] = useState(firstPrintedAt);
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const notedAt = useRef<string | null>(null);
  const printed = useEffectEvent(() => {
    const at = notedAt.current;
    notedAt.current = null;
    if (at !== null) setFirstAt((first) => first ?? at);
    else
      call(accountRoutes.printTicket, { params: { ticketId } }).then(
        ({ originalAt, printedAt }) => {
          setFirstAt(originalAt ?? printedAt);
          refetch(`bet/${ticketId}`);
        },
        (error: unknown) => setFailure(failureText(error)),
      );
  });
  useEffect(() => {
    const notify = () => printed();
    window.addEventListener('afterprint', notify);
    return () => window.removeEventListener('afterprint', notify);
  }, []);
  const print = async () => {
    setBusy(true);
    setFailure(null);
    try {
      const answer = await call(accountRoutes.printTicket, { params: { ticketId } });
      notedAt.current = answer.printedAt;
      flushSync(() => setFirstAt(answer.originalAt));
      window.print();
      refetch(`bet/${ticketId}`);
    } catch (error) {
      setFailure(failureText(error));
    }
    setBusy(false);
  };
  return { firstAt, isBusy, failure, print };
}

/** Prints only the slip, in its own page size without margins. */
function PrintedPage(props: Parameters<typeof TicketSlip>[0]) {
  const { paper } = props;
  const ref = useRef<HTMLDivElement>(null);
  const [heightMm, setHeight] = useState<number | null>(null);
  useEffect(() => {
    const measure = new ResizeObserver(([entry]) => setHeight(Math.ceil(entry!.contentRect.height / PX_OF_MM) + 1));
    measure.observe(ref.current!);
    return () => measure.disconnect();
  }, []);
  useEffect(() => {
    document.documentElement.dataset['prints'] = 'slip';
    return () => {
      delete document.documentElement.dataset['prints'];
    };
  }, []);
  return createPortal(
    <div ref={ref} className={styles.page} aria-hidden="true">
      {heightMm !== null && (
        <style
          nonce={document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce}
        >{`@page { size: ${paper}mm ${heightMm}mm; margin: 0 }`}</style>
      )}
      <TicketSlip {...props} />
    </div>,
    document.body,
  );
}
