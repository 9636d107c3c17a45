import { Kbd, Modal, Switch } from '@mantine/core';
import { useMounted } from '@mantine/hooks';
import { Fragment } from 'react';
import { setSingleKeys, useSingleKeys } from '../../lib/devicePreferences.ts';
import { KEY_GROUPS } from './keys.ts';
import classes from './KeyHelp.module.css';
import { keyTexts } from '../shell/shellTexts.ts';

/** The modal must see `opened` change, to return the focus. */
export function KeyHelp({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const singleKeys = useSingleKeys();
  const groups = KEY_GROUPS.map((group) => ({
    ...group,
    lines: group.lines.filter((line) => singleKeys || !line.single),
  })).filter((group) => group.lines.length > 0);
  return (
    <Modal opened={useMounted() && opened} onClose={onClose} title={keyTexts.keyboardShortcuts} size="sm">
      {groups.map((group) => (
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
      <Switch
        className={classes.switch}
        label={keyTexts.singleKeyShortcuts}
        description={keyTexts.lettersDigitsAndSymbols}
        checked={singleKeys}
        onChange={(event) => setSingleKeys(event.currentTarget.checked)}
      />
    </Modal>
  );
}
