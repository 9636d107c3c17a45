import type { KeyboardEvent, ReactNode } from 'react';
import { arrowTarget } from './gridKeys.ts';
import classes from './gridParts.module.css';

interface TabListProps<Item> {
  label: string;
  items: readonly Item[];
  current: string;
  controls: string;
  className: string | undefined;
  tabClass: string | undefined;
  vertical?: boolean;
  onChange: (key: string) => void;
  children: (item: Item) => ReactNode;
}

/** One tab stop; arrow keys change tabs. */
export function TabList<Item extends { key: string }>({
  label,
  items,
  current,
  controls,
  className,
  tabClass,
  vertical = false,
  onChange,
  children,
}: TabListProps<Item>) {
  function move(event: KeyboardEvent<HTMLElement>) {
    const index = items.findIndex(({ key }) => key === current);
    const target = arrowTarget(event.key, index, items.length, 1);
    if (target === null) return;
    event.preventDefault();
    onChange(items[target]!.key);
    event.currentTarget.querySelectorAll<HTMLElement>('[role="tab"]')[target]?.focus();
  }

  return (
    <div
      role="tablist"
      tabIndex={-1}
      aria-label={label}
      aria-orientation={vertical ? 'vertical' : 'horizontal'}
      className={className}
      onKeyDown={move}
    >
      {items.map((item) => (
        <button
          key={item.key}
          type="button"
          role="tab"
          className={`${classes.tab} ${tabClass}`}
          aria-selected={item.key === current}
          aria-controls={controls}
          tabIndex={item.key === current ? 0 : -1}
          onClick={() => onChange(item.key)}
        >
          {children(item)}
        </button>
      ))}
    </div>
  );
}
