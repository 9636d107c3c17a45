import { ActionIcon, Tooltip } from '@mantine/core';
import type { ComponentType } from 'react';
import { PathLink } from './PathLink.tsx';
import classes from './RowActions.module.css';

/** One thing that can be done with a row. */
export interface RowAction {
  /** What it does; stays the same while its label follows the row's state, so that its button keeps the focus. */
  id: string;
  /** Names it: the tooltip, and with the row's name what a screen reader says. */
  label: string;
  icon: ComponentType<{ size?: number; 'aria-hidden'?: boolean }>;
  /** Leads to a page ... */
  href?: string;
  /** ... or does something here. */
  onClick?: () => void;
  /** Takes something away; stands last and apart. */
  danger?: boolean;
}

/** The actions of a row as icons with names and tooltips, the dangerous ones last and apart. */
export function RowActions({ of, actions }: { of: string; actions: readonly RowAction[] }) {
  return (
    <span className={classes.actions}>
      {actions.map((action) => {
        const Icon = action.icon;
        const shared = {
          variant: 'subtle',
          color: action.danger ? 'red' : 'gray',
          'aria-label': `${action.label}: ${of}`,
          className: action.danger ? classes.danger : undefined,
        };
        return (
          <Tooltip key={action.id} label={action.label} openDelay={300}>
            {action.href === undefined ? (
              <ActionIcon {...shared} onClick={action.onClick}>
                <Icon size={16} aria-hidden />
              </ActionIcon>
            ) : (
              <ActionIcon {...shared} component={PathLink} href={action.href}>
                <Icon size={16} aria-hidden />
              </ActionIcon>
            )}
          </Tooltip>
        );
      })}
    </span>
  );
}
