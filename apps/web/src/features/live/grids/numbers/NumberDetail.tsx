import type { Panel } from '@drawhouse/contract/live/live';
import type { GameRules, Outcome } from '@drawhouse/rules/games/rules';
import { ActionIcon } from '@mantine/core';
import { IconChevronDown, IconChevronUp } from '@tabler/icons-react';
import { useState } from 'react';
import { resultConsequence } from '../../panel/panelMath.ts';
import { FittingAmount } from '../FittingAmount.tsx';
import parts from '../gridParts.module.css';
import { detailWidth } from './cellLayout.ts';
import { headFigures } from './numberMath.ts';
import { gridTexts, numberTexts, wheelTexts } from '../gridTexts.ts';
import classes from './NumberDetail.module.css';

interface NumberDetailProps {
  id: string;
  panel: Panel;
  rules: GameRules;
  outcome: Outcome;
  booster: number;
  /** Empty for plain browsing. */
  note: string;
  width: number;
}

export function NumberDetail({ id, panel, rules, outcome, booster, note, width }: NumberDetailProps) {
  const [open, setOpen] = useState(false);
  const { drawno, label } = outcome;
  const heads = headFigures(rules, outcome, panel.stakes);
  // With one bet kind, its figures are the totals.
  const [only] = heads.length === 1 ? heads : [];
  const { pays, leaves } = resultConsequence(panel, rules, { drawno }, booster);
  const row = panel.data[rules.outcomes.indexOf(outcome)];
  const amountWidth = detailWidth(width, heads.length, open);
  return (
    <section className={classes.detail} aria-label={gridTexts.number(label)} data-open={open || undefined}>
      <div className={classes.said} id={id}>
        <div className={classes.number}>
          <strong>{label}</strong>{' '}
          <span className={`${parts.note} ${classes.note}`}>
            {note}
            {only && ` × ${only.ratio}`}
          </span>
        </div>
        {!only && (
          <ul className={classes.heads}>
            {heads.map((head) => (
              <li key={head.name}>
                <span className={classes.label}>{head.label}</span>
                <span className={classes.sum}>
                  <FittingAmount value={head.sum} amountWidth={amountWidth.head} after={` × ${head.ratio}`} />
                </span>
                <Amount value={head.pays} amountWidth={amountWidth.head} />
              </li>
            ))}
          </ul>
        )}
        <dl className={classes.totals}>
          <Total name={numberTexts.total} value={row?.sum ?? 0} amountWidth={amountWidth.total} />
          <Total name={`${numberTexts.payout} ${booster} X`} value={pays} amountWidth={amountWidth.total} />
          <Total name={numberTexts.netIfDeclared} value={leaves} amountWidth={amountWidth.total} signed />
        </dl>
      </div>
      {!only && (
        <ActionIcon
          variant="subtle"
          color="gray"
          size="lg"
          className={classes.more}
          aria-expanded={open}
          aria-label={wheelTexts.kinds(label)}
          onClick={() => setOpen(!open)}
        >
          {open ? <IconChevronDown size={18} aria-hidden /> : <IconChevronUp size={18} aria-hidden />}
        </ActionIcon>
      )}
    </section>
  );
}

interface AmountProps {
  value: number;
  amountWidth: number;
  signed?: boolean;
}

function Total({ name, ...amount }: AmountProps & { name: string }) {
  return (
    <div>
      <dt className={classes.label}>{name}</dt>
      <dd>
        <Amount {...amount} />
      </dd>
    </div>
  );
}

function Amount({ value, amountWidth, signed = false }: AmountProps) {
  const tone = value < 0 ? 'loss' : value === 0 ? 'zero' : signed ? 'gain' : undefined;
  return (
    <span className={classes.amount} data-tone={tone}>
      <FittingAmount value={value} amountWidth={amountWidth} />
    </span>
  );
}
