import { ROLES, type Role } from '@drawhouse/contract/core/primitives';
import { Select } from '@mantine/core';
import type { KeyboardEvent, ReactNode } from 'react';
import { errorMessage } from '../../../lib/server/api.ts';
import { addPath } from '../../../lib/paths.ts';
import { useUser } from '../../../lib/session/session.ts';
import { FailureText } from '../../../lib/RequestId.tsx';
import { AddLink } from '../../../ui/page/PageHeader.tsx';
import classes from '../accounts.module.css';
import { isExactly, useParentChoice, type ParentChoice } from './useParentChoice.ts';
import { accountFormTexts } from './accountFormTexts.ts';

interface ParentSelectProps {
  parents: Exclude<Role, 'user'>;
  initial?: ParentChoice | null;
  value: string | null;
  onChange: (id: string | null) => void;
  onPreselect: (id: string) => void;
  onBlur?: () => void;
  error?: ReactNode;
  dataPath: string;
}

/**
 * Enter takes the best match; leaving the field accepts an exact name. A caller at that level is the only choice.
 * Without any choice, offers to create one.
 */
export function ParentSelect(props: ParentSelectProps) {
  const { parents, initial = null, value, onChange, onPreselect, onBlur, error, dataPath } = props;
  const user = useUser();
  const field = useParentChoice(parents, initial, onChange, onPreselect);
  const { own, typed, choices, fresh, none } = field;
  const mayAdd = parents !== 'superadmin' && ROLES.indexOf(user.role) < ROLES.indexOf(parents);

  function takeOnEnter(event: KeyboardEvent) {
    if (event.key !== 'Enter' || own || typed === '') return;
    // With fresh results in an open list, the list handles Enter.
    const isOpen = event.target instanceof Element && event.target.ariaExpanded === 'true';
    if (fresh && (isOpen || !choices[0])) return;
    event.preventDefault();
    event.stopPropagation();
    void field.chooseTyped(() => true);
  }

  return (
    <div>
      <Select
        label={accountFormTexts.fields.reference}
        placeholder={none ? accountFormTexts.noParents[parents] : accountFormTexts.chooseAccount}
        description={field.error ? <FailureText message={errorMessage(field.error)} /> : undefined}
        data={choices}
        value={value}
        onChange={(id) => {
          const choice = choices.find((entry) => entry.value === id);
          if (choice) field.choose(choice);
        }}
        onKeyDownCapture={takeOnEnter}
        onBlur={() => {
          if (typed !== '') void field.chooseTyped((choice) => isExactly(choice, typed));
          onBlur?.();
        }}
        selectFirstOptionOnChange={typed !== '' && fresh}
        searchable={!own}
        searchValue={own ? undefined : field.text}
        onSearchChange={own ? undefined : field.type}
        filter={own ? undefined : ({ options }) => options}
        nothingFoundMessage={!fresh ? accountFormTexts.searching : accountFormTexts.noParents[parents]}
        readOnly={own}
        variant={own ? 'filled' : 'default'}
        {...(own && { rightSection: <span /> })}
        withCheckIcon={false}
        allowDeselect={false}
        error={error}
        data-path={dataPath}
        comboboxProps={{ withinPortal: false, transitionProps: { duration: 120 } }}
      />
      {none && mayAdd && (
        <div className={classes.add}>
          <AddLink label={accountFormTexts.add[parents]} href={addPath(user.role, parents)} again />
        </div>
      )}
    </div>
  );
}
