import { Kbd, Modal } from '@mantine/core';
import { useMounted } from '@mantine/hooks';
import { Fragment } from 'react';
import { KEY_GROUPS } from './keys.ts';
import classes from './KeyHelp.module.css';

/** Lists the keys of the app. It is loaded when first asked for, and must see itself open to return the focus. */
export function KeyHelp({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  return (
    <Modal opened={useMounted() && opened} onClose={onClose} title="Keyboard shortcuts" centered size="sm">
      {KEY_GROUPS.map((group) => (
        <section key={group.name} aria-label={group.name} className={classes.group}>
          <h3 className={classes.heading}>{group.name}</h3>
          <dl className={classes.lines}>
            {group.lines.map((line) => (
              <Fragment key={line.does}>
                <dt>{line.does}</dt>
                <dd>
                  {line.keys.map((key, index) => (
                    <Fragment key={key}>
                      {index > 0 && <span className={classes.between}>{line.together ? '+' : 'or'}</span>}
                      <Kbd>{key}</Kbd>
                    </Fragment>
                  ))}
                </dd>
              </Fragment>
            ))}
          </dl>
        </section>
      ))}
    </Modal>
  );
}
