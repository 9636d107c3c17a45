import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { createPortal } from 'react-dom';
import { dateText } from '../../lib/amounts.ts';
import { useSession } from '../../lib/playerSession.ts';
import { serverNow } from '../../lib/serverTime.ts';
import { useKept } from '../../lib/useKept.ts';
import { Button } from '../../ui/Button.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { OneOf } from '../../ui/OneOf.tsx';
import { Sheet } from '../../ui/Sheet.tsx';
import type { OwnBet } from '../proveBet.ts';
import { firstPrint, readPrinted, withPrint } from './printedBefore.ts';
import { PAPERS, TicketSlip } from './TicketSlip.tsx';
import type { Paper } from './TicketSlip.tsx';
import styles from './PrintSheet.module.css';

const CHOICES = [
  ['58', '58 mm'],
  ['80', '80 mm'],
] as const;
/** CSS pixels of a millimetre. */
const PX_OF_MM = 96 / 25.4;

/** Shows a ticket as it will be printed, on paper of a width that the device keeps, and prints it. From the second time on it says that it is a copy. */
export function PrintSheet({ bet, onClose }: { bet: OwnBet; onClose: () => void }) {
  const accountId = useSession()?.user?._id ?? '';
  const [keptPaper, keepPaper] = useKept('paper');
  const [keptPrinted, keepPrinted] = useKept(`printed/${accountId}`);
  const paper: Paper = keptPaper !== null && keptPaper in PAPERS ? (keptPaper as Paper) : '58';
  const printed = readPrinted(keptPrinted);
  const firstAt = firstPrint(printed, bet.ticketId);
  const kept = useEffectEvent(() =>
    keepPrinted(JSON.stringify(withPrint(printed, bet.ticketId, new Date(serverNow()).toISOString()))),
  );
  // Nobody tells whether it was printed or given up in the browser's dialog: once that was open it counts as printed.
  useEffect(() => {
    const note = () => kept();
    window.addEventListener('afterprint', note);
    return () => window.removeEventListener('afterprint', note);
  }, []);
  return (
    <Sheet title="Print the ticket" onClose={onClose}>
      <OneOf legend="Width of the paper" value={paper} options={CHOICES} onChoose={keepPaper} />
      {firstAt !== null && (
        <Notice title={`Printed here on ${dateText(firstAt)}.`}>What is printed now says that it is a copy.</Notice>
      )}
      <Button kind="main" onClick={() => window.print()}>
        {firstAt === null ? 'Print' : 'Print a copy'}
      </Button>
      <div className={styles.preview}>
        <TicketSlip bet={bet} paper={paper} firstAt={firstAt} />
      </div>
      <PrintedPage bet={bet} paper={paper} firstAt={firstAt} />
    </Sheet>
  );
}

/** What the printer gets in place of the page: the slip, on a page of its own size without margins. */
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
      {heightMm !== null && <style>{`@page { size: ${paper}mm ${heightMm}mm; margin: 0 }`}</style>}
      <TicketSlip {...props} />
    </div>,
    document.body,
  );
}
