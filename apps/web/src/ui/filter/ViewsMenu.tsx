import { ActionIcon, Button, Popover, Text, TextInput } from '@mantine/core';
import { IconBookmark, IconCheck, IconPencil, IconRefresh, IconTrash } from '@tabler/icons-react';
import { useEffect, useRef, useState, type FormEvent } from 'react';
import { findView, isSameView, VIEW_NAME_MAX, type SavedView, type SavedViews } from '../../lib/list/savedViews.ts';
import classes from './ViewsMenu.module.css';
import { filterTexts } from '../listTexts.ts';

interface ViewsMenuProps {
  saved: SavedViews;
  current: Omit<SavedView, 'name'>;
  onApply: (view: SavedView) => void;
}

interface ViewQuestion {
  about: string;
  what: 'rename' | 'replace' | 'remove';
}

export function ViewsMenu({ saved, current, onApply }: ViewsMenuProps) {
  const [opened, setOpened] = useState(false);
  const [question, setQuestion] = useState<ViewQuestion | null>(null);
  const shown = saved.views.find((view) => isSameView(view, current));
  const { rows, ask } = useRowFocus(question, setQuestion);

  function answer(view: SavedView, what: ViewQuestion['what'], name: string) {
    if (what === 'rename') saved.rename(view.name, name);
    if (what === 'replace') saved.save({ ...current, name: view.name });
    if (what === 'remove') saved.remove(view.name);
    ask(null, what === 'rename' ? name : view.name);
  }

  return (
    <Popover
      opened={opened}
      onChange={setOpened}
      onClose={() => setQuestion(null)}
      position="bottom-start"
      width={350}
      portalProps={{ target: 'main' }}
      closeOnEscape={question === null}
      trapFocus
      returnFocus
    >
      <Popover.Target>
        <Button
          variant="default"
          size="xs"
          className={classes.target}
          data-chosen={shown !== undefined || undefined}
          leftSection={<IconBookmark size={16} aria-hidden />}
          onClick={() => setOpened((now) => !now)}
        >
          <span data-label>{shown ? `View: ${shown.name}` : filterTexts.views}</span>
        </Button>
      </Popover.Target>
      <Popover.Dropdown className={classes.dropdown}>
        {saved.views.length === 0 ? (
          <Text size="sm" c="dimmed" className={classes.none}>
            {filterTexts.searchFilterOrSort}
          </Text>
        ) : (
          <ul ref={rows} className={classes.views} aria-label={filterTexts.savedViews}>
            {saved.views.map((view) => (
              <li key={view.name} data-view={view.name}>
                {question?.about === view.name ? (
                  <Question
                    question={question}
                    taken={(name) => (findView(saved.views, name) ?? view) !== view}
                    onAnswer={(name) => answer(view, question.what, name)}
                    onCancel={() => ask(null, view.name)}
                  />
                ) : (
                  <ViewRow
                    view={view}
                    shown={view === shown}
                    onApply={() => {
                      setOpened(false);
                      onApply(view);
                    }}
                    onAsk={(what) => ask({ about: view.name, what }, view.name)}
                  />
                )}
              </li>
            ))}
          </ul>
        )}
        <SaveForm
          views={saved.views}
          onSave={(name) => {
            saved.save({ ...current, name });
            setOpened(false);
          }}
        />
      </Popover.Dropdown>
    </Popover>
  );
}

/** Moves focus into the question and back to its row, or to the first row if deleted. */
function useRowFocus(question: ViewQuestion | null, setQuestion: (question: ViewQuestion | null) => void) {
  const rows = useRef<HTMLUListElement>(null);
  const last = useRef<string | null>(null);
  useEffect(() => {
    if (last.current === null) return;
    if (question !== null) {
      rows.current?.querySelector<HTMLElement>('form input, form button')?.focus();
      return;
    }
    const all = [...(rows.current?.querySelectorAll<HTMLElement>('[data-view]') ?? [])];
    const row = all.find((each) => each.dataset['view'] === last.current) ?? all[0];
    row?.querySelector('button')?.focus();
    last.current = null;
  }, [question]);
  const ask = (next: ViewQuestion | null, about: string) => {
    last.current = about;
    setQuestion(next);
  };
  return { rows, ask };
}

interface ViewRowProps {
  view: SavedView;
  shown: boolean;
  onApply: () => void;
  onAsk: (what: ViewQuestion['what']) => void;
}

function ViewRow({ view, shown, onApply, onAsk }: ViewRowProps) {
  const icon = { variant: 'subtle', color: 'gray' } as const;
  return (
    <div className={classes.view}>
      <button type="button" className={classes.apply} aria-current={shown || undefined} onClick={onApply}>
        <span className={classes.label}>{view.name}</span>
        {shown && <IconCheck size={14} aria-hidden />}
      </button>
      <ActionIcon
        {...icon}
        aria-label={filterTexts.renameView(view.name)}
        title={filterTexts.rename}
        onClick={() => onAsk('rename')}
      >
        <IconPencil size={14} aria-hidden />
      </ActionIcon>
      <ActionIcon
        {...icon}
        aria-label={filterTexts.replaceView(view.name)}
        title={filterTexts.replaceWithCurrentView}
        disabled={shown}
        onClick={() => onAsk('replace')}
      >
        <IconRefresh size={14} aria-hidden />
      </ActionIcon>
      <ActionIcon
        {...icon}
        aria-label={filterTexts.deleteView(view.name)}
        title={filterTexts.deleteLabel}
        onClick={() => onAsk('remove')}
      >
        <IconTrash size={14} aria-hidden />
      </ActionIcon>
    </div>
  );
}

interface QuestionProps {
  question: ViewQuestion;
  taken: (name: string) => boolean;
  onAnswer: (name: string) => void;
  onCancel: () => void;
}

function Question({ question, taken, onAnswer, onCancel }: QuestionProps) {
  const [name, setName] = useState(question.about);
  const isTaken = question.what === 'rename' && taken(name);
  function submit(event: FormEvent) {
    event.preventDefault();
    if (name.trim() !== '' && !isTaken) onAnswer(name.trim());
  }
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- Escape within it takes the question back
    <form className={classes.question} onSubmit={submit} onKeyDown={(event) => event.key === 'Escape' && onCancel()}>
      {question.what === 'rename' ? (
        <TextInput
          size="xs"
          aria-label={filterTexts.newName(question.about)}
          value={name}
          maxLength={VIEW_NAME_MAX}
          error={isTaken && filterTexts.anotherViewHasThis}
          onChange={(event) => setName(event.currentTarget.value)}
        />
      ) : (
        <Text size="sm" className={classes.label}>
          {question.what === 'remove'
            ? filterTexts.deleteQuestion(question.about)
            : filterTexts.replaceQuestion(question.about)}
        </Text>
      )}
      <Button size="xs" type="submit" color={question.what === 'remove' ? 'red' : undefined}>
        {VERBS[question.what]}
      </Button>
      <Button size="xs" variant="default" onClick={onCancel}>
        {filterTexts.cancel}
      </Button>
    </form>
  );
}

const VERBS: Record<ViewQuestion['what'], string> = { rename: 'Rename', replace: 'Replace', remove: 'Delete' };

function SaveForm({ views, onSave }: { views: readonly SavedView[]; onSave: (name: string) => void }) {
  const [name, setName] = useState('');
  const taken = findView(views, name);
  function submit(event: FormEvent) {
    event.preventDefault();
    if (name.trim() !== '') onSave(name);
  }
  return (
    <form className={classes.save} onSubmit={submit}>
      <TextInput
        size="xs"
        label={filterTexts.saveCurrentViewAs}
        placeholder={filterTexts.viewName}
        value={name}
        maxLength={VIEW_NAME_MAX}
        onChange={(event) => setName(event.currentTarget.value)}
        data-autofocus
      />
      <Button size="xs" type="submit" disabled={name.trim() === ''}>
        {taken ? filterTexts.replace : filterTexts.save}
      </Button>
    </form>
  );
}
