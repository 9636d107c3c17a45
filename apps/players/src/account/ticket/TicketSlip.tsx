import { playerTexts } from '../../lib/playerTexts.ts';
import { drawName } from '@drawhouse/rules/time/draw-name';
import { paperAddress } from '@drawhouse/contract/tickets/paper-address';
import type { ShortSeal } from '@drawhouse/tlog/short-seal';
import { countText, dateText, pointsText } from '../../lib/amounts.ts';
import { house } from '@drawhouse/session/house';
import { richText } from '@drawhouse/session/rich-text';
import { HouseLines, HouseLogo } from '../../ui/House.tsx';
import { betNames } from './BetLines.tsx';
import type { OwnBet } from './proveBet.ts';
import { ticketTexts } from './ticketTexts.ts';
import styles from './TicketSlip.module.css';
import { encode } from 'uqr';

const texts = ticketTexts.slip;

/** Paper width and printable width, in mm. */
export const PAPERS = { '58': 48, '80': 72 } as const;
export type Paper = keyof typeof PAPERS;

interface TicketSlipProps {
  bet: OwnBet;
  seal: ShortSeal | null;
  paper: Paper;
  firstAt: string | null;
}

export function TicketSlip({ bet, seal, paper, firstAt }: TicketSlipProps) {
  const { ticketId, gameName, draw, lines, playpoints, unitPrice, placedAt, digest } = bet;
  const names = betNames(bet);
  return (
    <article
      className={styles.slip}
      aria-label={texts.label(ticketId)}
      style={{ width: `${paper}mm`, padding: `3mm ${(Number(paper) - PAPERS[paper]) / 2}mm` }}
    >
      <header>
        <HouseLogo height={48} />
        <strong>{house.name}</strong>
        {firstAt !== null && (
          <p className={styles.copy}>
            {richText(texts.copy, { copy: <strong>{texts.copyMark}</strong>, at: dateText(firstAt) })}
          </p>
        )}
        <p className={styles.game}>{gameName}</p>
        <p className={styles.number}>{ticketId}</p>
      </header>
      <dl>
        <dt>{ticketTexts.draw}</dt>
        <dd>{drawName(draw.number)}</dd>
        <dt>{draw.outside === null ? texts.drawn : playerTexts.outside(draw.outside)}</dt>
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
            <th scope="row">{texts.total}</th>
            <td colSpan={2}>{pointsText(playpoints)}</td>
          </tr>
        </tfoot>
      </table>
      <p>{texts.unitPrice(unitPrice)}</p>
      <footer>
        <QrCode className={styles.code} text={paperAddress(location.origin, bet)} label={texts.codeLabel} />
        <p>{texts.codeHelp}</p>
        <p className={styles.digest}>
          {texts.digest}
          <code>{digest.match(/.{8}/g)?.join(' ') ?? digest}</code>
        </p>
        {seal && (
          <p className={styles.digest}>
            {richText(texts.sealed, {
              origin: <span className={styles.whole}>{seal.origin},</span>,
              count: <span className={styles.whole}>{texts.records(seal.size)}</span>,
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
