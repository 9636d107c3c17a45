import { LABELLED_DIGITS_MAX } from '@drawhouse/contract/games/game-catalogue';
import { Button, FileButton, Group, Input, Text } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { formatCount } from '../../lib/format.ts';
import type { GameForm, Picture } from './gameForm.ts';
import { digitsOf, usualRules } from './gameForm.ts';
import { gameTexts } from './gameTexts.ts';
import { PictureInput } from './PictureInput.tsx';
import { IMAGE_HINT, IMAGE_TYPES, readPicture } from './readPicture.ts';
import classes from './PictureInput.module.css';

const texts = gameTexts.fields;

/** The logo and the picture of a game, and an image for each digit where its label is yes. */
export function PictureFields({ form, gameId }: { form: UseFormReturnType<GameForm>; gameId: string }) {
  return (
    <>
      <Input.Wrapper
        label={`${texts.logo} and ${texts.image.toLowerCase()}`}
        description={IMAGE_HINT}
        labelElement="div"
      >
        <div className={classes.grid}>
          {(['logo', 'image'] as const).map((name) => (
            <FormPicture
              key={name}
              form={form}
              path={name}
              name={texts[name]}
              caption={texts[name]}
              value={form.values[name]}
            />
          ))}
        </div>
      </Input.Wrapper>
      {form.values.label === 'yes' && <DigitImages form={form} gameId={gameId} />}
      {form.values.label === 'no' && form.values.images.some(Boolean) && (
        <Text c="dimmed">Without a label, the images of its digits are removed when it is saved.</Text>
      )}
    </>
  );
}

function DigitImages({ form, gameId }: { form: UseFormReturnType<GameForm>; gameId: string }) {
  const digits = digitsOf(form.values) ?? 0;
  const rules = usualRules(form.values, gameId);
  if (digits < 1 || !rules)
    return <Text c="dimmed">Its images are chosen here once the number of digits is given.</Text>;
  if (digits > LABELLED_DIGITS_MAX) return null;
  const { images } = form.values;
  const chosen = images.slice(0, digits).filter(Boolean).length;
  return (
    <Input.Wrapper
      label={texts.images}
      description={`One for each of the ${formatCount(digits)} digits. ${IMAGE_HINT}`}
      error={form.errors['images']}
      labelElement="div"
    >
      <Group gap="xs" mt={6}>
        <FileButton multiple accept={IMAGE_TYPES.join(',')} onChange={(files) => void fill(files)}>
          {(props) => (
            <Button {...props} size="xs" variant="default" data-path="images">
              Choose several files
            </Button>
          )}
        </FileButton>
        <Text component="output" c="dimmed">{`${formatCount(chosen)} of ${formatCount(digits)} chosen`}</Text>
      </Group>
      <div className={classes.grid}>
        {Array.from({ length: digits }, (_, place) => {
          const { drawno, label } = rules.outcomes[place]!;
          const caption = label === drawno ? drawno : `${drawno} ${label}`;
          return (
            <FormPicture
              key={place}
              form={form}
              path={`images.${place}`}
              name={`Image of digit ${caption}`}
              caption={caption}
              value={images[place] ?? null}
            />
          );
        })}
      </div>
    </Input.Wrapper>
  );

  /** Gives the digits without an image these files, in the order of their names. */
  async function fill(files: readonly File[]): Promise<void> {
    const sorted = files.toSorted((a, b) => a.name.localeCompare(b.name, 'en', { numeric: true }));
    const empty = Array.from({ length: digits }, (_, place) => place).filter((place) => !images[place]);
    for (const [index, place] of empty.slice(0, sorted.length).entries()) {
      const read = await readPicture(sorted[index]!);
      if ('wrong' in read) form.setFieldError(`images.${place}`, read.wrong);
      else setPicture(form, `images.${place}`, read.picture);
    }
    if (sorted.length > empty.length)
      form.setFieldError('images', `${formatCount(sorted.length - empty.length)} files are more than there are digits`);
  }
}

interface FormPictureProps {
  form: UseFormReturnType<GameForm>;
  path: string;
  name: string;
  caption: string;
  value: Picture | null;
}

function FormPicture({ form, path, ...shown }: FormPictureProps) {
  return (
    <PictureInput
      {...shown}
      error={form.errors[path]}
      dataPath={path}
      onChange={(picture) => setPicture(form, path, picture)}
      onWrong={(message) => form.setFieldError(path, message)}
    />
  );
}

function setPicture(form: UseFormReturnType<GameForm>, path: string, picture: Picture | null): void {
  const [name, place] = path.split('.');
  if (place === undefined) form.setFieldValue(path, picture);
  else
    form.setFieldValue('images', (images) => {
      const after = Array.from({ length: Math.max(images.length, Number(place) + 1) }, (_, at) => images[at] ?? null);
      after[Number(place)] = picture;
      return after;
    });
  form.clearFieldError(path);
  if (name === 'images') form.clearFieldError('images');
}
