import type { ShortSeal } from '@drawhouse/tlog/short-seal';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { createPortal, flushSync } from 'react-dom';
import { drawName } from '@drawhouse/rules/time/draw-name';
import { paperAddress } from '@drawhouse/contract/tickets/paper-address';
import { house } from '@drawhouse/session/house';
import { richText } from '@drawhouse/session/rich-text';
import { encode } from 'uqr';
import { call, failureText } from '../../lib/server/playerApi.ts';
import { accountRoutes } from '../accountRoutes.ts';
import { useDeviceStorage } from '../../lib/useDeviceStorage.ts';
import { refetch } from '../../lib/server/useQuery.ts';
import { Button } from '../../ui/Button.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { OneOf } from '../../ui/fields/Options.tsx';
import { Sheet } from '../../ui/sheets/Sheet.tsx';
import { playerTexts } from '../../lib/playerTexts.ts';
import { countText, dateText, pointsText } from '../../lib/amounts.ts';
import { HouseLines, HouseLogo } from '../../ui/House.tsx';
import type { OwnBet } from './proveBet.ts';
import { ticketTexts } from './ticketTexts.ts';
import styles from './TicketSlip.module.css';
import { betNames } from './BetLines.tsx';

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
    <Sheet title={ticketTexts.print.title} onClose={onClose}>
      <OneOf legend={ticketTexts.print.paper} value={paper} options={CHOICES} onChoose={storePaper} />
      {firstAt !== null && <Notice title={ticketTexts.print.printedAt(firstAt)}>{ticketTexts.print.copyNext}</Notice>}
      {failure !== null && <Notice tone="bad" isSaid title={failure} />}
      <Button kind="main" isBusy={isBusy} onClick={() => void print()}>
        {firstAt === null ? ticketTexts.print.print : ticketTexts.print.printCopy}
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

/** Paper width and printable width, in mm. */
const PAPERS = { '58': 48, '80': 72 } as const;
type Paper = keyof typeof PAPERS;

interface TicketSlipProps {
  bet: OwnBet;
  seal: ShortSeal | null;
  paper: Paper;
  firstAt: string | null;
}

function TicketSlip({ bet, seal, paper, firstAt }: TicketSlipProps) {
  const { ticketId, gameName, draw, lines, playpoints, unitPrice, placedAt, digest } = bet;
  const names = betNames(bet);
  return (
    <article
      className={styles.slip}
      aria-label={ticketTexts.slip.label(ticketId)}
      style={{ width: `${paper}mm`, padding: `3mm ${(Number(paper) - PAPERS[paper]) / 2}mm` }}
    >
      <header>
        <HouseLogo height={48} />
        <strong>{house.name}</strong>
        {firstAt !== null && (
          <p className={styles.copy}>
            {richText(ticketTexts.slip.copy, {
              copy: <strong>{ticketTexts.slip.copyMark}</strong>,
              at: dateText(firstAt),
            })}
          </p>
        )}
        <p className={styles.game}>{gameName}</p>
        <p className={styles.number}>{ticketId}</p>
      </header>
      <dl>
        <dt>{ticketTexts.draw}</dt>
        <dd>{drawName(draw.number)}</dd>
        <dt>{draw.outside === null ? ticketTexts.slip.drawn : playerTexts.outside(draw.outside)}</dt>
        <dd>{dateText(draw.drawsAt)}</dd>
        <dt>{ticketTexts.placed}</dt>
        <dd>{dateText(placedAt)}</dd>
      </dl>
      <table>
        <thead>
          <tr>
            <th scope="col">{ticketTexts.lines.bet}</th>
            <th scope="col">{ticketTexts.lines.units}</th>
            <th scope="col">{ticketTexts.lines.stake}</th>
          </tr>
        </thead>
        <tbody>
          {lines.map(({ qty, stake }, index) => (
            // oxlint-disable-next-line react/no-array-index-key
            <tr key={index}>
              <th scope="row">{names[index]}</th>
              <td>{countText(qty)}</td>
              <td>{pointsText(stake)}</td>
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row">{ticketTexts.slip.total}</th>
            <td colSpan={2}>{pointsText(playpoints)}</td>
          </tr>
        </tfoot>
      </table>
      <p>{ticketTexts.slip.unitPrice(unitPrice)}</p>
      <footer>
        <QrCode className={styles.code} text={paperAddress(location.origin, bet)} label={ticketTexts.slip.codeLabel} />
        <p>{ticketTexts.slip.codeHelp}</p>
        <p className={styles.digest}>
          {ticketTexts.slip.digest}
          <code>{digest.match(/.{8}/g)?.join(' ') ?? digest}</code>
        </p>
        {seal && (
          <p className={styles.digest}>
            {richText(ticketTexts.slip.sealed, {
              origin: <span className={styles.whole}>{seal.origin},</span>,
              count: <span className={styles.whole}>{ticketTexts.slip.records(seal.size)}</span>,
            })}
            <code>{seal.root.match(/.{22}/g)?.join(' ')}</code>
          </p>
        )}
        <HouseLines />
      </footer>
    </article>
  );
}

/** Quiet zone in modules; scanners need it. */
const QUIET = 4;

function QrCode({ text, label, className }: { text: string; label: string; className?: string | undefined }) {
  const { size, data } = encode(text, { ecc: 'M', border: QUIET });
  const dark = data.flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : ''))).join('');
  const svg =
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size} ${size}" shape-rendering="crispEdges">` +
    `<path d="M0 0h${size}v${size}H0z" fill="#fff"/><path d="${dark}"/></svg>`;
  return <img className={className} src={`data:image/svg+xml,${encodeURIComponent(svg)}`} alt={label} />;
}
