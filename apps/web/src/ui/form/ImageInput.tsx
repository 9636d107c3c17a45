import { CloseButton } from '@mantine/core';
import { IconPhotoPlus } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { imageTexts } from '../../lib/libTexts.ts';
import { IMAGE_TYPES, readImage, type ImageOfForm } from '../../lib/form/readImage.ts';
import classes from './ImageInput.module.css';

interface ImageInputProps {
  name: string;
  caption: string;
  value: ImageOfForm | null;
  onChange: (image: ImageOfForm | null) => void;
  onWrong: (message: string) => void;
  error?: ReactNode;
  dataPath: string;
}

export function ImageInput({ name, caption, value, onChange, onWrong, error, dataPath }: ImageInputProps) {
  const errorId = `${dataPath} error`;
  return (
    <div className={classes.tile} data-wrong={Boolean(error)}>
      <label className={classes.choose}>
        {value ? (
          <img className={classes.image} src={value.url} alt="" />
        ) : (
          <IconPhotoPlus className={classes.none} size={20} aria-hidden />
        )}
        <span className={classes.caption}>{caption}</span>
        <input
          type="file"
          className={classes.input}
          aria-label={value ? imageTexts.chooseAnother(name) : name}
          accept={IMAGE_TYPES.join(',')}
          data-path={dataPath}
          aria-invalid={Boolean(error)}
          aria-describedby={error ? errorId : undefined}
          onChange={(event) => {
            const input = event.currentTarget;
            const file = input.files?.[0];
            if (!file) return;
            void readImage(file).then((read) => {
              // Allows choosing the same file again.
              input.value = '';
              if ('wrong' in read) onWrong(read.wrong);
              else onChange(read.image);
            });
          }}
        />
      </label>
      {value && (
        <CloseButton
          className={classes.remove}
          size="sm"
          aria-label={imageTexts.removeNamed(name)}
          title={imageTexts.remove}
          onClick={() => onChange(null)}
        />
      )}
      {error && (
        <span id={errorId} className={classes.error}>
          {error}
        </span>
      )}
    </div>
  );
}
