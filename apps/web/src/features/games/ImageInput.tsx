import type { ReactNode } from 'react';
import { CloseButton } from '@mantine/core';
import { IconPhotoPlus } from '@tabler/icons-react';
import type { ImageOfForm } from './gameForm.ts';
import { IMAGE_TYPES, readImage } from './readImage.ts';
import classes from './ImageInput.module.css';

interface ImageInputProps {
  /** Names what it is an image of, for those who do not see it: `Image of digit 3`. */
  name: string;
  /** What stands beneath it. */
  caption: string;
  value: ImageOfForm | null;
  onChange: (image: ImageOfForm | null) => void;
  onWrong: (message: string) => void;
  error?: ReactNode;
  /** By which the form finds it. */
  dataPath: string;
}

/** One file that is an image: chosen, shown small, changed and taken away. */
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
          aria-label={value ? `${name}: choose another` : name}
          accept={IMAGE_TYPES.join(',')}
          data-path={dataPath}
          aria-invalid={Boolean(error)}
          aria-describedby={error ? errorId : undefined}
          onChange={(event) => {
            const input = event.currentTarget;
            const file = input.files?.[0];
            if (!file) return;
            void readImage(file).then((read) => {
              // The same file may be chosen again.
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
          aria-label={`${name}: take it away`}
          title="Take it away"
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
