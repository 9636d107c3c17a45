import { IconCheck, IconLock } from '@tabler/icons-react';
import { memo, type CSSProperties } from 'react';
import { formatPoints } from '../../../../lib/format/format.ts';
import { OutcomePicture, pictureFor } from '../../../../ui/pictures/OutcomePicture.ts';
import { AmountText } from '../FittingAmount.tsx';
import { liveTexts } from '../../liveTexts.ts';
import { consequence, share, shareText } from '../../panel/panelMath.ts';
import { Glow } from '../../LiveMarks.tsx';
import parts from '../gridParts.module.css';
import classes from './TileGrid.module.css';
import { gridTexts } from '../gridTexts.ts';

interface OutcomeTileProps {
  gameId: string;
  family: string;
  drawno: string;
  label: string;
  color: string | null;
  image: string | null;
  sum: number;
  pays: number;
  booster: number;
  collection: number;
  /** The payout exceeds the table's balance and the admin's credit. */
  uncovered: boolean;
  /** Sums that change with it do not glow. */
  scope: string;
  selected: boolean;
  sealed: boolean;
  alone: boolean;
  disabled: boolean;
  format: (points: number) => string;
  reachable: boolean;
  onToggle: (drawno: string) => void;
  onFocus: (drawno: string) => void;
}

/** Longer sums would be unreadably small on a phone. */
const LONG = 11;

/** CSS shrinks long texts by these lengths instead of truncating. */
function lengthOf(text: string): CSSProperties {
  const word = Math.max(...text.split(' ').map((each) => each.length));
  return { '--length': text.length, '--word': word } as CSSProperties;
}

/** Returns large text and its companion: number and name, or for `K` and `♠` the name first. */
function namesOf({ drawno, label }: Pick<OutcomeTileProps, 'drawno' | 'label'>): { main: string; side: string } {
  const main = label.length === 1 || !/^\d/.test(drawno) ? label : drawno;
  const side = main === drawno ? label : drawno;
  return { main, side: side.toLowerCase() === main.toLowerCase() ? '' : side };
}

export const OutcomeTile = memo(function OutcomeTile(props: OutcomeTileProps) {
  const { drawno, color, sum, booster, collection, selected, sealed, format, onToggle, onFocus } = props;
  const part = share(sum, collection);
  const { pays, leaves } = consequence(props, booster, collection);
  const names = namesOf(props);
  const picture = pictureFor(props, props);
  return (
    <button
      type="button"
      className={`${parts.cell} ${classes.tile}`}
      data-drawno={drawno}
      data-sealed={sealed || undefined}
      data-uncovered={props.uncovered || undefined}
      data-long={formatPoints(sum).length > LONG || undefined}
      data-alone={props.alone || undefined}
      aria-pressed={selected}
      disabled={props.disabled}
      tabIndex={props.reachable ? 0 : -1}
      onClick={() => onToggle(drawno)}
      onFocus={() => onFocus(drawno)}
    >
      <Glow sum={sum} scope={props.scope} />
      <span className={classes.head} data-pictured={picture !== null || undefined}>
        {picture && <OutcomePicture {...picture} size={40} className={classes.image} />}
        <span className={classes.number} style={lengthOf(names.main)}>
          {names.main}
        </span>
        {names.side !== '' && (
          <span className={classes.label} style={lengthOf(names.side)} data-color={color ?? undefined}>
            {names.side}
          </span>
        )}
        {selected && <IconCheck className={classes.mark} aria-hidden />}
        {sealed && !selected && <IconLock className={classes.mark} aria-hidden />}
        {sealed && <span className="unseen">{gridTexts.result}</span>}
        {props.uncovered && <span className="unseen">{liveTexts.uncovered}</span>}
      </span>
      <span className={classes.stake}>
        <span className="unseen">{gridTexts.staked}</span>
        <Amount className={classes.sum!} points={sum} format={format} data-zero={sum === 0 || undefined} />
        <span className={classes.share}>{shareText(part)}</span>
      </span>
      <span className={`${parts.bar} ${classes.bar}`} aria-hidden>
        <span style={{ inlineSize: `${part * 100}%` }} />
      </span>
      <span className={classes.line} data-kind="pays">
        <span>{gridTexts.pays}</span>
        <Amount className={classes.amount!} points={pays} format={format} />
      </span>
      <span className={classes.line} data-kind="leaves">
        <span>{gridTexts.keeps}</span>
        <Amount
          className={classes.amount!}
          points={leaves}
          format={format}
          data-sign={leaves < 0 ? 'loss' : leaves > 0 ? 'gain' : undefined}
        />
      </span>
    </button>
  );
});

interface AmountProps {
  className: string;
  points: number;
  format: (points: number) => string;
  'data-zero'?: true | undefined;
  'data-sign'?: 'loss' | 'gain' | undefined;
}

function Amount({ points, format, ...props }: AmountProps) {
  const exact = formatPoints(points);
  const text = format(points);
  return <AmountText {...props} style={lengthOf(text)} text={text} exact={exact} />;
}
