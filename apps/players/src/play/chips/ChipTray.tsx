import { CHIPS, costOf } from '../slip/slipSums.ts';
import { Chip } from './Chip.tsx';
import styles from './ChipTray.module.css';
import { playTexts } from '../playTexts.ts';

export type Tool = { readonly units: number } | 'eraser';

interface ChipTrayProps {
  unitPrice: number;
  tool: Tool;
  onTool: (tool: Tool) => void;
}

export function ChipTray({ unitPrice, tool, onTool }: ChipTrayProps) {
  return (
    <fieldset className={styles.tray}>
      <legend className={styles.legend}>{playTexts.chips.legend}</legend>
      {CHIPS.map((units) => {
        const points = costOf(units, unitPrice);
        return (
          <label key={units} className={styles.choice}>
            <input
              type="radio"
              name="chip"
              checked={tool !== 'eraser' && tool.units === units}
              onChange={() => onTool({ units })}
            />
            <Chip points={points} units={units} size={44} />
            <span className={styles.unseen}>{playTexts.chips.points(points)}</span>
          </label>
        );
      })}
      <label className={styles.choice}>
        <input type="radio" name="chip" checked={tool === 'eraser'} onChange={() => onTool('eraser')} />
        <svg className={styles.eraser} viewBox="0 0 48 48" width="44" height="44" aria-hidden="true">
          <path d="M12 30 27 13a4 4 0 0 1 5.7-.3l5.5 5a4 4 0 0 1 .3 5.6L25 38h-7l-5.7-5.200A2 2 0 0 1 12 30Z" />
          <path d="M20.5 20.5 31.5 30.5M25 38h14" />
        </svg>
        <span className={styles.unseen}>{playTexts.chips.eraser}</span>
      </label>
    </fieldset>
  );
}
