import { LABELLED_DIGITS_MAX } from '@drawhouse/contract/games/game-catalogue';
import { Button, FileButton, Group, Input, Text } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { formatCount, compareNames } from '../../../lib/format/format.ts';
import { digitsOf, usualRules, type GameForm } from './gameForm.ts';
import { gameTexts } from '../gameTexts.ts';
import { IMAGE_HINT, IMAGE_TYPES, readImage, type ImageOfForm } from '../../../lib/form/readImage.ts';
import { ImageInput } from '../../../ui/form/ImageInput.tsx';
import classes from '../../../ui/form/ImageInput.module.css';

const texts = gameTexts.fields;

export function ImageFields({ form, gameId }: { form: UseFormReturnType<GameForm>; gameId: string }) {
  return (
    <>
      <Input.Wrapper
        label={`${texts.logo} and ${texts.image.toLowerCase()}`}
        description={IMAGE_HINT}
        labelElement="div"
      >
        <div className={classes.grid}>
          {(['logo', 'image'] as const).map((name) => (
            <FormImage
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
        <Text c="dimmed">{gameTexts.withoutLabelsDigitImages}</Text>
      )}
    </>
  );
}

function DigitImages({ form, gameId }: { form: UseFormReturnType<GameForm>; gameId: string }) {
  const digits = digitsOf(form.values) ?? 0;
  const rules = usualRules(form.values, gameId);
  if (digits < 1 || !rules) return <Text c="dimmed">{gameTexts.enterNumberDigitsChoose}</Text>;
  if (digits > LABELLED_DIGITS_MAX) return null;
  const { images } = form.values;
  const chosen = images.slice(0, digits).filter(Boolean).length;
  return (
    <Input.Wrapper
      label={texts.images}
      description={gameTexts.oneForEachDigits(formatCount(digits), IMAGE_HINT)}
      error={form.errors['images']}
      labelElement="div"
    >
      <Group gap="xs" mt={6}>
        <FileButton multiple accept={IMAGE_TYPES.join(',')} onChange={(files) => void fill(files)}>
          {(props) => (
            <Button {...props} size="xs" variant="default" data-path="images">
              {gameTexts.chooseSeveralFiles}
            </Button>
          )}
        </FileButton>
        <Text component="output" c="dimmed">
          {gameTexts.chosen(formatCount(chosen), formatCount(digits))}
        </Text>
      </Group>
      <div className={classes.grid}>
        {Array.from({ length: digits }, (_, digit) => {
          const { drawno, label } = rules.outcomes[digit]!;
          const caption = label === drawno ? drawno : `${drawno} ${label}`;
          return (
            <FormImage
              key={digit}
              form={form}
              path={`images.${digit}`}
              name={gameTexts.imageDigit(caption)}
              caption={caption}
              value={images[digit] ?? null}
            />
          );
        })}
      </div>
    </Input.Wrapper>
  );

  async function fill(files: readonly File[]): Promise<void> {
    const sorted = files.toSorted((a, b) => compareNames(a.name, b.name));
    const empty = Array.from({ length: digits }, (_, digit) => digit).filter((digit) => !images[digit]);
    for (const [index, digit] of empty.slice(0, sorted.length).entries()) {
      const read = await readImage(sorted[index]!);
      if ('wrong' in read) form.setFieldError(`images.${digit}`, read.wrong);
      else setImage(form, `images.${digit}`, read.image);
    }
    if (sorted.length > empty.length)
      form.setFieldError('images', gameTexts.moreFilesThanDigits(formatCount(sorted.length - empty.length)));
  }
}

interface FormImageProps {
  form: UseFormReturnType<GameForm>;
  path: string;
  name: string;
  caption: string;
  value: ImageOfForm | null;
}

function FormImage({ form, path, ...shown }: FormImageProps) {
  return (
    <ImageInput
      {...shown}
      error={form.errors[path]}
      dataPath={path}
      onChange={(image) => setImage(form, path, image)}
      onWrong={(message) => form.setFieldError(path, message)}
    />
  );
}

function setImage(form: UseFormReturnType<GameForm>, path: string, image: ImageOfForm | null): void {
  const [name, digit] = path.split('.');
  if (digit === undefined) form.setFieldValue(path, image);
  else
    form.setFieldValue('images', (images) => {
      const after = Array.from({ length: Math.max(images.length, Number(digit) + 1) }, (_, at) => images[at] ?? null);
      after[Number(digit)] = image;
      return after;
    });
  form.clearFieldError(path);
  if (name === 'images') form.clearFieldError('images');
}
