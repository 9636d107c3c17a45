import { ActionIcon, Menu, Tooltip } from '@mantine/core';
import { IconDots } from '@tabler/icons-react';
import { useRef, type ComponentType } from 'react';
import { PathLink } from '../../page/PathLink.tsx';
import classes from './RowActions.module.css';
import { tableTexts } from '../../listTexts.ts';

export interface RowAction {
  /** Stable while the label follows the row's state, so the button keeps focus. */
  id: string;
  /** Also read by screen readers, with the row's name. */
  label: string;
  icon: ComponentType<{ size?: number; 'aria-hidden'?: boolean }>;
  href?: string;
  onClick?: () => void;
  /** Shown as an icon; other actions go into the menu. */
  prominent?: boolean;
  danger?: boolean;
}

interface RowActionsProps {
  of: string;
  actions: readonly RowAction[];
}

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
  const name = tableTexts.moreActions(of);
  return (
    <Menu
      position="bottom-end"
      shadow="md"
      width={200}
      transitionProps={{ duration: 120 }}
      // Stays inside the page's landmark and contains only menu items.
      portalProps={{ target: 'main' }}
      withInitialFocusPlaceholder={false}
    >
      <Menu.Target>
        <ActionIcon ref={target} variant="subtle" color="gray" aria-label={name} title={tableTexts.moreActionsHeading}>
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
                  // The menu item disappears, so focus returns to the button first.
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
