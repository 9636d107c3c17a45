/* oxlint-disable jsx-a11y/prefer-tag-over-role -- HTML has no element for a list below its own search field */
import { formatCount } from '../../lib/format/format.ts';
import { PALETTE_GROUPS, type Matches, type PaletteItem } from './paletteItems.ts';
import classes from './CommandPalette.module.css';
import { commandPaletteTexts } from '../shell/shellTexts.ts';

interface PaletteListProps {
  id: string;
  label: string;
  items: readonly PaletteItem[];
  more: Matches['more'];
  active: number;
  onChoose: (item: PaletteItem) => void;
}

export function PaletteList({ id, label, items, more, active, onChoose }: PaletteListProps) {
  return (
    <div id={id} role="listbox" aria-label={label} className={classes.list} hidden={items.length === 0}>
      {PALETTE_GROUPS.map((group, index) => {
        const found = items.filter((item) => item.group === group);
        if (found.length === 0) return null;
        return (
          <div key={group} role="group" aria-labelledby={`palette-group-${index}`}>
            <p id={`palette-group-${index}`} role="presentation" className={classes.heading}>
              {group}
            </p>
            {found.map((item) => (
              // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- the search takes the keys for it
              <div
                key={item.id}
                id={`palette-${item.id}`}
                role="option"
                tabIndex={-1}
                aria-selected={items[active] === item}
                className={classes.option}
                onMouseDown={(event) => event.preventDefault()}
                onClick={() => onChoose(item)}
              >
                <item.icon size={18} stroke={1.6} aria-hidden />
                <span className={classes.label}>{item.label}</span>
                {item.hint !== undefined && <span className={classes.hint}>{item.hint}</span>}
              </div>
            ))}
            {more.has(group) && (
              <p role="presentation" className={classes.more}>
                {commandPaletteTexts.moreTypeGameAnd(formatCount(more.get(group)!))}
              </p>
            )}
          </div>
        );
      })}
    </div>
  );
}
