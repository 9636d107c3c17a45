import { ActionIcon, Menu, Tooltip } from '@mantine/core';
import { IconDots } from '@tabler/icons-react';
import { useRef } from 'react';
import type { ComponentType } from 'react';
import { PathLink } from './PathLink.tsx';
import classes from './RowActions.module.css';

/** One thing that can be done with a row. */
export interface RowAction {
  /** What it does; stays the same while its label follows the row's state, so that its button keeps the focus. */
  id: string;
  /** Names it: the tooltip, the entry of the menu, and with the row's name what a screen reader says. */
  label: string;
  icon: ComponentType<{ size?: number; 'aria-hidden'?: boolean }>;
  /** Leads to a page ... */
  href?: string;
  /** ... or does something here. */
  onClick?: () => void;
  /** One of the few that are used most: it stands out as an icon, the others in a menu. */
  prominent?: boolean;
  /** Takes something away; stands last and apart. */
  danger?: boolean;
}

interface RowActionsProps {
  /** Names the row. */
  of: string;
  actions: readonly RowAction[];
}

/** The actions of a row: those that are used most as icons with names and tooltips, the others in a menu by their names. */
export function RowActions({ of, actions }: RowActionsProps) {
  const rest = actions.filter((action) => !action.prominent);
  return (
    <span className={classes.actions}>
      {actions
        .filter((action) => action.prominent)
        .map((action) => {
          const shared = { variant: 'subtle', color: 'gray', 'aria-label': `${action.label}: ${of}` };
          const icon = <action.icon size={16} aria-hidden />;
          return (
            <Tooltip key={action.id} label={action.label} openDelay={300}>
              {action.href === undefined ? (
                <ActionIcon {...shared} onClick={action.onClick}>
                  {icon}
                </ActionIcon>
              ) : (
                <ActionIcon {...shared} component={PathLink} href={action.href}>
                  {icon}
                </ActionIcon>
              )}
            </Tooltip>
          );
        })}
      {rest.length > 0 && <ActionMenu of={of} actions={rest} />}
    </span>
  );
}

function ActionMenu({ of, actions }: RowActionsProps) {
  const target = useRef<HTMLButtonElement>(null);
  const name = `More actions: ${of}`;
  return (
    <Menu
      position="bottom-end"
      shadow="md"
      width={200}
      transitionProps={{ duration: 120 }}
      // Within the page's landmark, and with nothing in it but its entries.
      portalProps={{ target: 'main' }}
      withInitialFocusPlaceholder={false}
    >
      <Menu.Target>
        <ActionIcon ref={target} variant="subtle" color="gray" aria-label={name} title="More actions">
          <IconDots size={16} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown aria-label={name}>
        {actions.map((action, index) => {
          const shared = {
            leftSection: <action.icon size={16} aria-hidden />,
            className: action.danger ? classes.danger : undefined,
          };
          return [
            action.danger && index > 0 && <Menu.Divider key={`before ${action.id}`} />,
            action.href === undefined ? (
              <Menu.Item
                key={action.id}
                {...shared}
                onClick={() => {
                  // What it opens gives the focus back to what had it: the entry itself will be gone.
                  target.current?.focus();
                  action.onClick?.();
                }}
              >
                {action.label}
              </Menu.Item>
            ) : (
              <Menu.Item key={action.id} {...shared} component={PathLink} href={action.href}>
                {action.label}
              </Menu.Item>
            ),
          ];
        })}
      </Menu.Dropdown>
    </Menu>
  );
}
